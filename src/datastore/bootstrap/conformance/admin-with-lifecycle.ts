import type { Datastore } from '../../port/datastore.ts';
import type { IndexAdmin, IndexInfo } from '../../port/index-admin.ts';

/**
 * A store whose server has no lifecycles, with the three calls that need them answered as if it had:
 * all other steps of the bootstrap run on the real server.
 */
export function withLifecycleAnswers(store: Datastore): Datastore {
  const lifecycles = new Map<string, Pick<IndexInfo, 'lifecyclePolicy' | 'rolloverAlias'>>();
  const instead: Partial<IndexAdmin> = {
    putLifecyclePolicy: async () => {},
    async setLifecycle(index, lifecyclePolicy, rolloverAlias) {
      lifecycles.set(index, { lifecyclePolicy, rolloverAlias });
    },
    putTemplate: (name, pattern, definition) => store.admin.putTemplate(name, pattern, definition),
    async create(index, definition, { lifecyclePolicy, rolloverAlias, ...options } = {}) {
      await store.admin.create(index, definition, options);
      lifecycles.set(index, { lifecyclePolicy, rolloverAlias });
    },
    async list(pattern) {
      return (await store.admin.list(pattern)).map((info) => ({ ...info, ...lifecycles.get(info.name) }));
    },
  };
  return wrapped(store, { admin: wrapped(store.admin, instead) });
}

function wrapped<T extends object>(target: T, instead: Partial<T>): T {
  return new Proxy(target, {
    get(_target, name) {
      const given = Reflect.get(instead, name);
      const value = given ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
