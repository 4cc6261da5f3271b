// Initial values of variables, and channels that come with them.
#include "front/promela/parse/context.h"
#include "front/promela/parse/declare.h"
#include "front/promela/parse/fold.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc::promela {

namespace {

bool parse_list(Context& context, InitialValue& out) {
  Cursor& cursor = context.cursor;
  cursor.take();
  out.first_item = context.gathered.size();
  do {
    ExprId item = kNone;
    if (!parse_expression(context, item)) return false;
    context.gather(context.gathered, item);
  } while (cursor.accept(Tok::comma));
  out.item_count = context.gathered.size() - out.first_item;
  return cursor.expect(Tok::right_brace, "'}'");
}

// Leaves of a message field, one behind the other.
bool parse_message_field(Context& context, ChannelForm& form) {
  const Span place = context.cursor.here();
  Type type;
  if (!parse_type(context, type)) return false;
  if (type.kind == TypeKind::simple && type.leaf.width == 0) {
    context.error(place, "a message has no 'unsigned' fields; use a byte, short or int");
    type.leaf.width = 8;
  }
  Field field;
  field.type = type;
  const u32 count = leaves_of(context, type);
  for (u32 i = 0; i < count && !context.cursor.abandoned(); ++i) {
    context.add(context.system.message_leaves, message_leaf_of(context, field, i), "message fields",
                place);
  }
  form.field_count += count;
  return true;
}

// SPIN packs bits only where a message has more than one value: models may send more than one bit.
void widen_single_bit(Context& context, const ChannelForm& form) {
  if (form.field_count != 1 || context.cursor.abandoned()) return;
  Leaf& leaf = context.system.message_leaves[form.first_field];
  if (leaf.kind == LeafKind::bits && leaf.width == 1) leaf.width = 8;
}

}  // namespace

bool parse_channel_form(Context& context, u32& out) {
  Cursor& cursor = context.cursor;
  const Span begin = cursor.take().place;
  ChannelForm form;
  i32 capacity = 0;
  if (!parse_constant(context, "the size of a channel", capacity) ||
      !cursor.expect(Tok::right_bracket, "']'") || !cursor.expect(Tok::kw_of, "'of'") ||
      !cursor.expect(Tok::left_brace, "'{'")) {
    return false;
  }
  if (capacity < 0 || capacity > static_cast<i32>(limits::kPromelaNumbers)) {
    context.error(begin, "a channel has room for 0 to %u messages, not %d",
                  static_cast<unsigned>(limits::kPromelaNumbers), static_cast<int>(capacity));
    capacity = 1;
  }
  form.capacity = static_cast<u32>(capacity);
  form.first_field = context.system.message_leaves.size();
  do {
    if (!parse_message_field(context, form)) return false;
  } while (cursor.accept(Tok::comma));
  if (form.field_count > limits::kSyncValues) {
    context.error(begin, "a message of %u values; at most %u are carried",
                  static_cast<unsigned>(form.field_count),
                  static_cast<unsigned>(limits::kSyncValues));
  }
  if (!cursor.expect(Tok::right_brace, "'}'")) return false;
  widen_single_bit(context, form);
  form.place = join(begin, cursor.last());
  out = context.add(context.system.channels, form, "channels", form.place);
  return true;
}

bool parse_initial(Context& context, InitialValue& out) {
  out.is_given = true;
  if (context.cursor.at(Tok::left_bracket)) return parse_channel_form(context, out.channel);
  // What a late declaration stores is computed when its turn comes, as in any assignment.
  const bool is_late = context.proctype != kNone && !context.is_opening;
  const Within<Setting> setting(context.setting, is_late ? context.setting : Setting::initial);
  context.has_run = false;
  if (context.cursor.at(Tok::left_brace)) return parse_list(context, out);
  return parse_expression(context, out.value);
}

namespace {

void add_initial(Context& context, const Initial& initial, bool is_global, Span place) {
  auto& pool = is_global ? context.system.global_initials : context.system.local_initials;
  if (initial.value == kNone && initial.channel == kNone) return;
  context.add(pool, initial, "initial values", place);
}

// What the fields of a record begin with, in the order of the leaves.
void add_record(Context& context, const Record& record, u32 leaf, bool is_global, Span place) {
  for (u32 i = 0; i < record.field_count && !context.cursor.abandoned(); ++i) {
    const Field& field = context.system.fields[record.first_field + i];
    const u32 elements = field.elements == 0 ? 1 : field.elements;
    const u32 stride = leaves_of(context, field.type);
    for (u32 j = 0; j < elements && !context.cursor.abandoned(); ++j) {
      const u32 at = leaf + field.leaf + j * stride;
      if (field.type.kind == TypeKind::record) {
        add_record(context, context.system.records[field.type.record], at, is_global, place);
      } else {
        add_initial(context, {at, 1, field.value, field.channel}, is_global, place);
      }
    }
  }
}

void add_items(Context& context, const Variable& variable, const InitialValue& initial,
               bool is_global) {
  if (variable.elements == 0) {
    context.error(variable.place, "only an array begins with a list of values");
    return;
  }
  if (initial.item_count > variable.elements) {
    context.warning(variable.place, "more values than elements");
  }
  for (u32 i = 0; i < variable.elements; ++i) {
    const u32 item = i < initial.item_count ? i : initial.item_count - 1;
    const ExprId value = context.gathered[initial.first_item + item];
    add_initial(context, {variable.leaf + i, 1, value, kNone}, is_global, variable.place);
  }
}

}  // namespace

void add_initials(Context& context, const Variable& variable, const InitialValue& initial,
                  bool is_global) {
  if (variable.type.kind == TypeKind::record) {
    if (initial.is_given) {
      context.error(variable.place, "a record has no initial value; its fields may have one");
    }
    const Record& record = context.system.records[variable.type.record];
    for (u32 leaf = 0; leaf < variable.leaves; leaf += record.leaves) {
      add_record(context, record, variable.leaf + leaf, is_global, variable.place);
    }
    return;
  }
  if (initial.channel != kNone) {
    if (!variable.type.leaf.is_channel) {
      context.error(variable.place, "only a variable of type chan begins with a channel");
    }
    for (u32 i = 0; i < variable.leaves; ++i) {
      add_initial(context, {variable.leaf + i, 1, kNone, initial.channel}, is_global,
                  variable.place);
    }
    return;
  }
  if (variable.is_late) return;  // a statement does it
  if (initial.item_count > 0) return add_items(context, variable, initial, is_global);
  add_initial(context, {variable.leaf, variable.leaves, initial.value, kNone}, is_global,
              variable.place);
}

}  // namespace xmc::promela
