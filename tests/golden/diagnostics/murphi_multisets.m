-- An element of a multiset is chosen, and a choice is for one multiset.
type m: record f: 0..1; end;
var a, b: multiset [2] of m; x: 0..1; y: m;
startstate begin multisetadd(x, a); multisetadd(y, y); multisetremove(1, a); end;
choose i: a do rule b[i].f = 1 ==> begin x := i; multisetremove(i, b); a[0].f := 1; end; end;
rule multisetcount(i: a, a[i].f) = 1 & multisetcount(i: y, true) = 0 ==> begin end;
