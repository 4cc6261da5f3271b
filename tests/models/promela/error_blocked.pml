// A statement inside a d_step cannot be executed.
// expect: verdict=violated kind=model-error prefix=2 exit=1
chan c = [1] of { byte };

active proctype p() {
  skip;
  d_step { c!1; c!2 }
}
