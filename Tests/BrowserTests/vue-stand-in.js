// The two functions of Vue 3 that vue.js uses, and a watcher to observe them: no Vue 3 can be installed without npm.
// They keep to the contract of https://vuejs.org/api/reactivity-advanced.html#customref and
// https://vuejs.org/api/reactivity-advanced.html#onscopedispose.

let running = null;
let scope = null;

/** A ref whose factory gets `track` and `trigger` and returns `get` and `set`. */
export function customRef(factory) {
  const effects = new Set();
  const { get, set } = factory(() => running && effects.add(running), () => [...effects].forEach((effect) => effect()));
  return { __v_isRef: true, get value() { return get(); }, set value(value) { set(value); } };
}

export function onScopeDispose(end) {
  if (!scope) throw new Error("onScopeDispose is called outside of a scope");
  scope.push(end);
}

/** Runs `setup` in a scope. Returns its result, and how to end the scope. */
export function effectScope(setup) {
  const ends = (scope = []);
  const result = setup();
  scope = null;
  return [result, () => ends.forEach((end) => end())];
}

/** Calls `seen` with the value of a ref, now and after each change. */
export function watch(ref, seen) {
  const effect = () => {
    running = effect;
    const value = ref.value;
    running = null;
    seen(value);
  };
  effect();
}
