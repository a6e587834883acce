import { messageOf, Unavailable } from '../../errors/errors.ts';
import type { SupportedTypes } from '../supported-types/supported-types.ts';
import { extensionFolder } from './extension-folder.ts';
import { ExtensionTimeout, ExtensionWorker } from './extension-worker.ts';
import {
  type DescribedGroup,
  type LoadedConfig,
  type LoadingStep,
  type RouteAnswer,
  type RouteCall,
  STEPS,
} from './thread/messages.ts';

interface ExtensionLog {
  info(entry: object, message: string): void;
  warn(entry: object, message: string): void;
  error(entry: object, message: string): void;
}

export interface ExtensionDependencies {
  readonly folder: string | null;
  readonly version: string;
  readonly types: SupportedTypes;
  readonly log: ExtensionLog;
  /** Time limit of a step of loading in milliseconds; for tests. */
  readonly stepTimeout?: number;
  /** Time limit of a call of a route in milliseconds; for tests. */
  readonly routeTimeout?: number;
  /** Time limit of an exchange in milliseconds; for tests. */
  readonly exchangeTimeout?: number;
}

/** Step of loading that an extension is at, or what it does afterwards. */
export type ExtensionStep = 'find' | LoadingStep | 'serving';

const STEP_TIMEOUT = 30_000;
const ROUTE_TIMEOUT = 30_000;
const EXCHANGE_TIMEOUT = 10_000;

/** An extension in its own thread. Its errors are logged with its name and step. */
export class Extension {
  /** Name in the settings. */
  readonly entry: string;
  readonly #dependencies: ExtensionDependencies;
  #worker: ExtensionWorker | undefined;
  #step: ExtensionStep = 'find';
  #problem: string | undefined;
  #name: string;
  #groups: readonly DescribedGroup[] = [];
  #exchanges = false;

  constructor(entry: string, dependencies: ExtensionDependencies) {
    this.entry = entry;
    this.#name = entry;
    this.#dependencies = dependencies;
  }

  /** Name in the manifest, once that is read. */
  get name(): string {
    return this.#name;
  }

  get state(): { readonly step: ExtensionStep; readonly problem: string | undefined } {
    return { step: this.#step, problem: this.#problem };
  }

  /** Groups of routes; none when loading failed. */
  get groups(): readonly DescribedGroup[] {
    return this.#groups;
  }

  /** Loads step by step. Never throws: the first failure ends the extension. */
  async load(checkName: (name: string) => void): Promise<void> {
    try {
      await this.#loadSteps(checkName);
    } catch (error) {
      await this.refuse(error);
    }
  }

  async #loadSteps(checkName: (name: string) => void): Promise<void> {
    const { folder, version, types, stepTimeout = STEP_TIMEOUT } = this.#dependencies;
    const place = extensionFolder(this.entry, folder);
    const worker = this.#start({ entry: this.entry, folder: place, version, types: types.names() });
    for (const step of STEPS) {
      this.#step = step;
      const result = await worker.call({ kind: 'step', step }, stepTimeout);
      if (step === 'config') {
        this.#name = (result as LoadedConfig).name;
        checkName(this.#name);
      }
      if (step === 'routes') this.#groups = result as readonly DescribedGroup[];
      if (step === 'obo') this.#exchanges = result as boolean;
      // While the extension loads, an error outside of a call ends it, too.
      if (this.#problem !== undefined) throw new Error(this.#problem);
    }
    this.#step = 'serving';
    this.#dependencies.log.info({ extension: this.#name, folder: place }, `the extension ${this.#name} is loaded`);
  }

  /** Ends the extension at its step, with the reason in the log. */
  async refuse(reason: unknown): Promise<void> {
    this.#fail(messageOf(reason));
    this.#groups = [];
    await this.stop();
  }

  /** Leaves a group of routes out. The extension serves the others and counts as degraded. */
  leaveOut(group: DescribedGroup, reason: string): void {
    this.#groups = this.#groups.map((one) => (one === group ? { ...one, routes: [] } : one));
    this.#fail(reason, 'routes');
  }

  /** Answers a request. @throws Unavailable `extension_unavailable`; Error for what the handler threw */
  async answer(request: Omit<RouteCall, 'timeout'>, path: string): Promise<RouteAnswer> {
    const { routeTimeout: timeout = ROUTE_TIMEOUT } = this.#dependencies;
    const worker = this.#serving();
    try {
      return (await worker.call({ kind: 'route', request: { ...request, timeout } }, timeout)) as RouteAnswer;
    } catch (error) {
      this.#serving();
      if (error instanceof ExtensionTimeout) throw this.#unavailable(messageOf(error), error);
      const place = { extension: this.#name, step: 'routes', route: `${request.method} ${path}` };
      this.#dependencies.log.error({ ...place, problem: messageOf(error) }, `the extension ${this.#name} failed`);
      throw new Error(`The extension ${this.#name} failed in ${request.method} ${path}: ${messageOf(error)}`);
    }
  }

  /** Exchanges a token; null when the extension does not handle the target. @throws Error that names it */
  async exchange(service: string, token: string, user: string): Promise<string | null> {
    if (!this.#exchanges || this.#worker === undefined) return null;
    const { exchangeTimeout = EXCHANGE_TIMEOUT } = this.#dependencies;
    try {
      return (await this.#worker.call({ kind: 'exchange', service, token, user }, exchangeTimeout)) as string | null;
    } catch (error) {
      const problem = messageOf(error);
      const place = { extension: this.#name, step: 'obo', service };
      this.#dependencies.log.error({ ...place, problem }, `the extension ${this.#name} failed to exchange a token`);
      throw new Error(`The extension ${this.#name} failed in get_obo_token: ${problem}`, { cause: error });
    }
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.stop();
  }

  #serving(): ExtensionWorker {
    if (this.#worker === undefined) throw this.#unavailable('it ended');
    return this.#worker;
  }

  #unavailable(reason: string, cause?: unknown): Unavailable {
    return new Unavailable('extension_unavailable', `The extension ${this.#name} does not answer: ${reason}.`, {
      cause,
    });
  }

  #start(start: ConstructorParameters<typeof ExtensionWorker>[0]): ExtensionWorker {
    const { log, types } = this.#dependencies;
    this.#worker = new ExtensionWorker(start, {
      log: (level, message, fields) =>
        log[level]({ extension: this.#name, ...(JSON.parse(fields) as object) }, message),
      problem: (problem) => {
        log.error({ extension: this.#name, step: this.#step, problem }, `the extension ${this.#name} threw`);
      },
      type: (key, regex) => {
        if (!types.add(key, regex, this.#name)) this.#fail(`there is another type ${key} already`);
      },
      ended: (reason) => {
        this.#worker = undefined;
        this.#fail(reason);
      },
    });
    return this.#worker;
  }

  #fail(problem: string, step: ExtensionStep = this.#step): void {
    if (this.#problem !== undefined) return;
    this.#problem = problem;
    const { log, types } = this.#dependencies;
    if (this.#step !== 'serving') types.removeOf(this.#name);
    log.error({ extension: this.#name, step, problem }, `the extension ${this.#name} failed at the step ${step}`);
  }
}
