// The index leaves the array in the fourth turn: an error of the model.
// expect: verdict=violated kind=model-error prefix=7 exit=1
byte a[3], i;
active proctype P() { do :: a[i] = i; i++ od }
