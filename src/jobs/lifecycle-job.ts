import { carries, readCollectionIndices } from '../datastore/bootstrap/collection-indices.ts';
import { type LifecycleSettings, lifecycleNames, lifecycleOf } from '../datastore/bootstrap/lifecycle-settings.ts';
import type { DatastoreLogger } from '../datastore/port/datastore-logger.ts';
import type { IndexAdmin, IndexInfo, LifecyclePolicy } from '../datastore/port/index-admin.ts';
import { millisecondsOf } from '../datastore/port/rollover.ts';
import type { CollectionDefinition } from '../documents/schema/collection-definition.ts';
import { messageOf } from '../errors/errors.ts';
import { failedStep, type Job, type JobStep } from './job.ts';

export interface LifecycleJobDependencies {
  readonly admin: IndexAdmin;
  readonly definitions: readonly CollectionDefinition<unknown>[];
  readonly ilm: LifecycleSettings;
  readonly logger: DatastoreLogger;
  /** Clock of the warm and cold ages, in milliseconds. Default `Date.now`. */
  readonly now?: () => number;
}

interface Work {
  readonly alias: string;
  readonly policy: LifecyclePolicy;
}

/**
 * Does what search engines do: begins generations by age and size, merges old ones ("warm"), and marks
 * cold ones, by the aliases `<alias>_warm` and `<alias>_cold`. A collection that fails does not stop the others.
 */
export function lifecycleJob(dependencies: LifecycleJobDependencies): Job {
  const { admin, definitions, ilm } = dependencies;
  const work = definitions.flatMap((definition): Work[] => {
    const policy = lifecycleOf(definition, ilm);
    return policy === undefined ? [] : [{ alias: `${admin.prefix}-${definition.name}`, policy }];
  });
  return {
    name: 'lifecycle',
    async run({ signal, dryRun }) {
      const steps: JobStep[] = [];
      for (const item of work) {
        signal.throwIfAborted();
        steps.push(await stepOf(item, dependencies, dryRun, signal));
      }
      return steps;
    },
  };
}

async function stepOf(
  item: Work,
  dependencies: LifecycleJobDependencies,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<JobStep> {
  const { alias } = item;
  if (dryRun) return { name: alias, outcome: 'skipped', changed: 0, detail: 'a dry run knows nothing of generations' };
  try {
    return { name: alias, outcome: 'done', changed: await moveOn(item, dependencies, signal) };
  } catch (error) {
    return failedStep(alias, messageOf(error));
  }
}

/** Moves the generations of a collection on, and returns how many were begun, merged or marked. */
async function moveOn(
  { alias, policy }: Work,
  dependencies: LifecycleJobDependencies,
  stopped: AbortSignal,
): Promise<number> {
  const { admin, logger, now = Date.now } = dependencies;
  const begun = await admin.rollover(alias, policy.rollover);
  let changed = begun === undefined ? 0 : 1;
  if (begun !== undefined)
    logger.info({ alias, index: begun }, `${begun} takes the new documents of ${alias} from now on.`);
  const { generations } = await readCollectionIndices(admin, alias);
  for (const [at, index] of generations.entries()) {
    const next = generations[at + 1];
    if (next === undefined || stopped.aborted) break;
    // The next generation was made by the rollover of this one.
    const generation = { alias, policy, index, age: now() - next.createdAt.getTime() };
    if (await warm(generation, dependencies)) changed += 1;
    if (!stopped.aborted && (await cool(generation, dependencies))) changed += 1;
  }
  return changed;
}

type Generation = Work & { readonly index: IndexInfo; readonly age: number };

async function warm(
  { alias, policy, index, age }: Generation,
  { admin, logger }: LifecycleJobDependencies,
): Promise<boolean> {
  const { warm: phase } = policy;
  const names = lifecycleNames(alias);
  if (phase === undefined || age < millisecondsOf(phase.minAge)) return false;
  if (carries(index, names.warm) || carries(index, names.cold)) return false;
  if (phase.forceMergeSegments !== undefined) await admin.compact(index.name);
  await admin.switchAliases([{ kind: 'add', index: index.name, alias: names.warm }]);
  logger.info({ alias, index: index.name, phase: 'warm' }, `${index.name} is warm: it was merged.`);
  return true;
}

async function cool(
  { alias, policy, index, age }: Generation,
  { admin, logger }: LifecycleJobDependencies,
): Promise<boolean> {
  const { cold: phase } = policy;
  const names = lifecycleNames(alias);
  if (phase === undefined || age < millisecondsOf(phase.minAge) || carries(index, names.cold)) return false;
  await admin.switchAliases([
    { kind: 'remove', index: index.name, alias: names.warm, mustExist: false },
    { kind: 'add', index: index.name, alias: names.cold },
  ]);
  logger.info({ alias, index: index.name, phase: 'cold' }, `${index.name} is cold.`);
  return true;
}
