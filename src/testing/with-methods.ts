/** `sound` with some properties replaced; its own methods keep their object, so they can be handed on. */
export function withMethods<T extends object>(sound: T, replaced: Partial<T>): T {
  return new Proxy(sound, {
    get(target, name) {
      if (Object.hasOwn(replaced, name)) return Reflect.get(replaced, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
