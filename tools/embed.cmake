# Writes a C++ file that holds the bytes of INPUT as `const char NAME_text[]` and their number as
# `const unsigned NAME_size`, declared in HEADER. A file that is not there gives an empty text.
#
#   cmake -DINPUT=file -DOUTPUT=file.cc -DNAME=name -DHEADER=header.h -P embed.cmake
set(hex "")
if(EXISTS "${INPUT}")
  file(READ "${INPUT}" hex HEX)
endif()
string(LENGTH "${hex}" digits)
math(EXPR size "${digits} / 2")
# Each byte as a character constant: values above 127 stay valid where char is signed.
string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
set(one "'....',")
string(REGEX REPLACE "(${one}${one}${one}${one}${one}${one}${one}${one})" "\\1\n" bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"

namespace xmc {
const char ${NAME}_text[] = {
${bytes}'\\0'};
const unsigned ${NAME}_size = ${size};
}  // namespace xmc
")
