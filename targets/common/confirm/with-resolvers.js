/** For libraries that want Node 22 for `Promise.withResolvers`; older ones have all else that is needed here. */
'use strict';

Promise.withResolvers ??= function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};
