// The style sheet of a page, page.css, which is part of the program.
#pragma once

namespace xmc {

extern const char page_css_text[];
extern const unsigned page_css_size;

}  // namespace xmc
