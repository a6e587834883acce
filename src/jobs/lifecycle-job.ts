import { setTimeout as sleep } from 'node:timers/promises';
import { carries, readCollectionIndices } from '../datastore/bootstrap/collection-indices.ts';
import { type LifecycleSettings, lifecycleNames, lifecycleOf } from '../datastore/bootstrap/lifecycle-settings.ts';
import type { DatastoreLogger } from '../datastore/port/datastore-logger.ts';
import type { IndexAdmin, IndexInfo, LifecyclePolicy } from '../datastore/port/index-admin.ts';
import { millisecondsOf } from '../datastore/port/rollover.ts';
import type { CollectionDefinition } from '../documents/schema/collection-definition.ts';
import { messageOf } from '../errors/errors.ts';

export interface LifecycleJobOptions {
  readonly admin: IndexAdmin;
  readonly definitions: readonly CollectionDefinition<unknown>[];
  readonly ilm: LifecycleSettings;
  readonly logger: DatastoreLogger;
  /** Milliseconds between two runs. Default: 10 minutes, as on the servers. */
  readonly interval?: number;
  /** Clock of the warm and cold ages, in milliseconds. Default `Date.now`. */
  readonly now?: () => number;
}

export type LifecycleJob = ReturnType<typeof startLifecycleJob>;

const TEN_MINUTES = 600_000;

interface Work {
  readonly alias: string;
  readonly policy: LifecyclePolicy;
}

/**
 * Does what search engines do: begins generations by age and size, merges old ones ("warm"), and marks
 * cold ones, by the aliases `<alias>_warm` and `<alias>_cold`. Two processes at once repeat work without harm.
 */
export function startLifecycleJob(options: LifecycleJobOptions) {
  const { admin, definitions, ilm, logger, interval = TEN_MINUTES } = options;
  const work = definitions.flatMap((definition): Work[] => {
    const policy = lifecycleOf(definition, ilm);
    return policy === undefined ? [] : [{ alias: `${admin.prefix}-${definition.name}`, policy }];
  });
  const stopped = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const runNow = (): Promise<void> => {
    running = running.then(async () => {
      for (const item of work) {
        if (stopped.signal.aborted) return;
        try {
          await moveOn(item, options, stopped.signal);
        } catch (error) {
          logger.error(
            { err: error, alias: item.alias },
            `The lifecycle of ${item.alias} could not go on: ${messageOf(error)} It is tried again later.`,
          );
        }
      }
    });
    return running;
  };
  const keepRunning = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await runNow();
      await sleep(interval, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
    }
  };

  if (work.length > 0) void keepRunning();
  return {
    /** Runs once, after the current run. Errors are logged; the next run does what is left. */
    runNow,
    /** Stops further runs and resolves when the current run has finished its step. */
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

async function moveOn({ alias, policy }: Work, options: LifecycleJobOptions, stopped: AbortSignal): Promise<void> {
  const { admin, logger, now = Date.now } = options;
  const begun = await admin.rollover(alias, policy.rollover);
  if (begun !== undefined)
    logger.info({ alias, index: begun }, `${begun} takes the new documents of ${alias} from now on.`);
  const { generations } = await readCollectionIndices(admin, alias);
  for (const [at, index] of generations.entries()) {
    const next = generations[at + 1];
    if (next === undefined || stopped.aborted) return;
    // The next generation was made by the rollover of this one.
    const generation = { alias, policy, index, age: now() - next.createdAt.getTime() };
    await warm(generation, options);
    if (!stopped.aborted) await cool(generation, options);
  }
}

type Generation = Work & { readonly index: IndexInfo; readonly age: number };

async function warm({ alias, policy, index, age }: Generation, { admin, logger }: LifecycleJobOptions): Promise<void> {
  const { warm: phase } = policy;
  const names = lifecycleNames(alias);
  if (phase === undefined || age < millisecondsOf(phase.minAge)) return;
  if (carries(index, names.warm) || carries(index, names.cold)) return;
  if (phase.forceMergeSegments !== undefined) await admin.compact(index.name);
  await admin.switchAliases([{ kind: 'add', index: index.name, alias: names.warm }]);
  logger.info({ alias, index: index.name, phase: 'warm' }, `${index.name} is warm: it was merged.`);
}

async function cool({ alias, policy, index, age }: Generation, { admin, logger }: LifecycleJobOptions): Promise<void> {
  const { cold: phase } = policy;
  const names = lifecycleNames(alias);
  if (phase === undefined || age < millisecondsOf(phase.minAge) || carries(index, names.cold)) return;
  await admin.switchAliases([
    { kind: 'remove', index: index.name, alias: names.warm, mustExist: false },
    { kind: 'add', index: index.name, alias: names.cold },
  ]);
  logger.info({ alias, index: index.name, phase: 'cold' }, `${index.name} is cold.`);
}
