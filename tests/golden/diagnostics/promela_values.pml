/* Widths, channels and arrays. */
chan c = [1] of { byte, mtype };
byte a[3] = { 1, 2, 3, 4 };
unsigned u : 40;
typedef T { byte f };
T t;
hidden byte h;

active proctype P() {
  byte i;
  c!1;
  c!1,2,3;
  c = c + 1;
  a[a[0]] = a;
  i?1;
  t = 3;
  _pid = i;
  c?i,i
}
