import type { IndexAdmin } from '../../port/index-admin.ts';

export interface Fault {
  /**
   * `before`, `after`: that call fails, undone or done.
   * `killed …`: so does every later one, as for a process that was killed there: nothing can be taken back.
   */
  readonly kind: 'before' | 'after' | 'killed before' | 'killed after';
  /** Number of the call among those that change something, from 1. */
  readonly step: number;
}

const READS: ReadonlySet<string> = new Set(['exists', 'list', 'scan', 'task', 'freeBytes', 'phases']);

/** An administration that fails at one step, for tests of interruptions. */
export function faultyAdmin(admin: IndexAdmin, { kind, step }: Fault): IndexAdmin & { readonly hasFailed: boolean } {
  let steps = 0;
  let hasFailed = false;
  const isKill = kind.startsWith('killed');
  const fail = () => {
    hasFailed = true;
    throw new Error('injected');
  };
  return new Proxy(admin as IndexAdmin & { readonly hasFailed: boolean }, {
    get(target, name: keyof IndexAdmin | 'hasFailed') {
      if (name === 'hasFailed') return hasFailed;
      const method: unknown = target[name];
      if (typeof method !== 'function') return method;
      if (READS.has(name)) {
        return (...args: unknown[]) => (isKill && hasFailed ? fail() : method.apply(target, args));
      }
      return async (...args: unknown[]) => {
        if (isKill && hasFailed) fail();
        steps += 1;
        const isIt = steps === step;
        if (isIt && kind.endsWith('before')) fail();
        const result = await method.apply(target, args);
        if (isIt) fail();
        return result;
      };
    },
  });
}
