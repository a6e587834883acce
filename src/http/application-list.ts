import { outsideJson } from '../identity/limits/outside-json.ts';
import type { Log } from './request-log.ts';

/** An application that the web interface offers to switch to. */
export interface Application {
  readonly alt: string;
  readonly name: string;
  /** Address of the picture on dark ground. */
  readonly img_d: string;
  /** Address of the picture on light ground. */
  readonly img_l: string;
  /** Host. */
  readonly route: string;
  readonly classification: string;
}

interface ApplicationListDependencies {
  /** Null: there are no other applications. */
  readonly address: string | null;
  /** Setting of the address, for the log. */
  readonly setting: string;
  /** Host names with this word are the service itself, which the list leaves out. */
  readonly own: string;
  readonly log: Pick<Log, 'warn'>;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

const TIMEOUT = 5_000;
const RETRY_AFTER = 60_000;

/**
 * Requests the applications of the installation once (contract/alert.md 6.5, enrichment.md 3.3).
 * After a failure the list is empty for a minute at least.
 */
export class ApplicationList {
  readonly #dependencies: ApplicationListDependencies;
  readonly #now: () => number;
  #known: readonly Application[] | undefined;
  #asking: Promise<void> | undefined;
  #askAgain = 0;

  constructor(dependencies: ApplicationListDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
    if (dependencies.address === null) this.#known = [];
  }

  /** Starts the request before the first caller needs the list. */
  prepare(): void {
    if (this.#known !== undefined || this.#asking !== undefined || this.#now() < this.#askAgain) return;
    this.#asking = this.#ask().finally(() => {
      this.#asking = undefined;
    });
  }

  /** Returns the applications sorted by name, after at most five seconds. Never rejects. */
  async all(): Promise<readonly Application[]> {
    this.prepare();
    await this.#asking;
    return this.#known ?? [];
  }

  async #ask(): Promise<void> {
    const { address, setting, own, log } = this.#dependencies;
    if (address === null) return;
    try {
      this.#known = readApplications(await outsideJson(address, TIMEOUT), own);
    } catch (error) {
      this.#askAgain = this.#now() + RETRY_AFTER;
      log.warn({ err: error }, `the list of applications cannot be had (${setting})`);
    }
  }
}

/** Returns the first complete instance of each application, without the service itself. */
function readApplications(answer: unknown, own: string): readonly Application[] {
  const registered = listOf(member(member(answer, 'applications'), 'application'));
  const found = registered.flatMap((application) => {
    const name = member(application, 'name');
    const instances = listOf(member(application, 'instance')).flatMap((one) => readInstance(name, one, own) ?? []);
    return instances.slice(0, 1);
  });
  return found.sort((left, right) => (left.name < right.name ? -1 : 1));
}

function readInstance(name: unknown, instance: unknown, own: string): Application | undefined {
  const metadata = member(instance, 'metadata');
  const found = {
    alt: member(metadata, 'alternateText'),
    name,
    img_d: member(metadata, 'imageDark'),
    img_l: member(metadata, 'imageLight'),
    route: member(instance, 'hostName'),
    classification: member(metadata, 'classification'),
  };
  return isApplication(found) && !found.route.includes(own) ? found : undefined;
}

function isApplication(found: Readonly<Record<keyof Application, unknown>>): found is Application {
  return Object.values(found).every((value) => typeof value === 'string');
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
