#include "phf/verify.h"

#include <algorithm>

#include "phf/reader.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::phf {

namespace {

Status damaged(u32 layer, u64 page) {
  return Status::fail(Code::corrupt, "perfect hash: page %llu of layer %u is damaged", wide(page),
                      layer);
}

// One layer; `base` goes on.
Status verify_layer(Device* device, std::span<u8> buffer, const FileLayout& layout, u32 layer,
                    u64& base) {
  const u32 bytes = layout.shape.page_bytes;
  const u64 offset = layout.first_page(layer) * bytes;
  const u64 begin = base;
  for (u64 page = 0; page < layout.layer[layer].pages;) {
    const u64 count = std::min<u64>(buffer.size() / bytes, layout.layer[layer].pages - page);
    std::span<u8> pages = buffer.first(static_cast<std::size_t>(count * bytes));
    const ReadRequest request{offset + page * bytes, pages};
    XMC_TRY(device->read({&request, 1}, Purpose::index));
    for (; !pages.empty(); pages = pages.subspan(bytes), ++page) {
      const std::span<const u8> one = pages.first(bytes);
      if (!check_page(layout.shape, {layer, page}, one) || page_base(one) != base) {
        return damaged(layer, page);
      }
      base += page_keys(one);
    }
  }
  if (base - begin == layout.layer[layer].keys) return {};
  return Status::fail(Code::corrupt, "perfect hash: layer %u has not the keys its footer says",
                      layer);
}

}  // namespace

Status verify_file(Device* device, std::span<u8> buffer, FileLayout& layout) {
  XMC_TRY(Reader::read_layout(device, buffer, layout));
  XMC_TRY(check_shape(layout.shape, device->geometry().block_bytes));
  XMC_CHECK(buffer.size() >= layout.shape.page_bytes);
  u64 base = 0;
  for (u32 layer = 0; layer < layout.layers; ++layer) {
    XMC_TRY(verify_layer(device, buffer, layout, layer, base));
  }
  return {};
}

}  // namespace xmc::phf
