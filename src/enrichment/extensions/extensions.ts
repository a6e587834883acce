import { SupportedTypes } from '../supported-types/supported-types.ts';
import { Extension, type ExtensionDependencies } from './extension.ts';
import type { DescribedGroup } from './thread/messages.ts';

export interface ExtensionsOptions extends Omit<ExtensionDependencies, 'types'> {
  /** Names of extensions, in their order. */
  readonly names: readonly string[];
}

/** A route group of an extension, with its number there. */
export interface OfferedGroup {
  readonly extension: Extension;
  readonly group: DescribedGroup;
  readonly number: number;
}

/** The extensions of the settings `core.extensions`. One that fails affects no other. */
export class Extensions {
  readonly #all: readonly Extension[];
  /** Types that they added. */
  readonly types: SupportedTypes;

  constructor(all: readonly Extension[], types = new SupportedTypes()) {
    this.#all = all;
    this.types = types;
  }

  /** Loads extensions one after the other. Never throws. */
  static async load({ names, ...dependencies }: ExtensionsOptions): Promise<Extensions> {
    const types = new SupportedTypes();
    const all: Extension[] = [];
    for (const entry of names) {
      const extension = new Extension(entry, { ...dependencies, types });
      await extension.load((name) => {
        const other = all.find((one) => one.name === name);
        if (other !== undefined) throw new Error(`The extension ${other.entry} has the name ${name} already.`);
      });
      all.push(extension);
    }
    return new Extensions(all, types);
  }

  /** Exchange tokens, in the order in which they are asked. */
  get exchangers() {
    return this.#all.map(
      (extension) => (service: string, token: string, user: string) => extension.exchange(service, token, user),
    );
  }

  /** Checks for `/healthz/`: one that failed makes the service degraded. */
  get checks() {
    return this.#all.map((extension) => ({
      name: `extension_${extension.entry}`,
      degrades: true,
      health: async () => {
        const { step, problem } = extension.state;
        // The first line: the log has the stack.
        return {
          ok: problem === undefined,
          detail: problem === undefined ? step : `${step}: ${problem.split('\n', 1)}`,
        };
      },
    }));
  }

  /**
   * Returns the groups that can be served: of two with one name the first.
   * @param reserved names of the service itself
   */
  groups(reserved: ReadonlySet<string>): readonly OfferedGroup[] {
    const owners = new Map<string, string>([...reserved].map((name) => [name, 'the service itself']));
    return this.#all.flatMap((extension) =>
      extension.groups.flatMap((group, number) => {
        const owner = owners.get(group.name);
        if (owner !== undefined) {
          const reason = `the sub-API ${group.name} of ${extension.name} is left out: ${owner} has one of this name`;
          extension.leaveOut(group, reason);
          return [];
        }
        owners.set(group.name, `the extension ${extension.name}`);
        return [{ extension, group, number }];
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((extension) => extension.stop()));
  }
}
