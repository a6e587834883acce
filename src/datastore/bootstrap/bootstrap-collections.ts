import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { isTriadError, Unsupported } from '../../errors/errors.ts';
import type { Capabilities } from '../port/datastore.ts';
import type { DatastoreLogger } from '../port/datastore-logger.ts';
import type { IndexAdmin, LifecyclePolicy } from '../port/index-admin.ts';
import { bootstrapCollection, type CollectionSummary } from './bootstrap-collection.ts';
import { doneUnless, type LockTimes, USUAL_LOCK_TIMES } from './bootstrap-lock.ts';
import { type LifecycleSettings, lifecycleNames, lifecycleOf, rejectUnknownCollections } from './lifecycle-settings.ts';

export interface BootstrapOptions {
  readonly admin: IndexAdmin;
  readonly capabilities: Capabilities;
  readonly definitions: readonly CollectionDefinition<unknown>[];
  readonly ilm: LifecycleSettings;
  readonly logger: DatastoreLogger;
  /** Stops between two steps; the next start resumes there. */
  readonly signal?: AbortSignal | undefined;
  readonly lockTimes?: LockTimes;
  /** Milliseconds that others may remember an old write index. Default: 6,000 on a server, 0 embedded. */
  readonly settleTime?: number;
}

export interface BootstrapSummary {
  readonly collections: readonly CollectionSummary[];
}

/** Longer than adapters remember which indices are behind an alias. */
const SERVER_SETTLE_TIME = 6_000;
const MAX_ROUNDS = 5;

/**
 * Creates the indices of every collection before the program serves requests.
 * The alias `<prefix>-<name>` leads to `<prefix>-<name>_hot`, or under a lifecycle to generations from
 * `<prefix>-<name>-000001` on. Documents of the older form are moved, and the old index is kept. May be interrupted at
 * any point and started again, also by several processes at once. Throws Unsupported `lifecycle_unsupported`.
 */
export async function bootstrapCollections(options: BootstrapOptions): Promise<BootstrapSummary> {
  const { admin, capabilities, definitions, ilm, logger, signal } = options;
  rejectUnknownCollections(ilm, definitions);
  const planned = definitions.map((definition) => ({
    definition,
    alias: `${admin.prefix}-${definition.name}`,
    policy: lifecycleOf(definition, ilm),
  }));
  // Before anything is moved: a server without lifecycles must leave everything as it was.
  for (const { definition, alias, policy } of planned) {
    if (policy !== undefined) await putPolicyAndTemplate(admin, alias, definition, policy);
  }
  const collections: CollectionSummary[] = [];
  for (const plan of planned) {
    const summary = await bootstrapCollection({
      ...plan,
      admin,
      logger,
      signal,
      lockTimes: options.lockTimes ?? USUAL_LOCK_TIMES,
      settleTime: options.settleTime ?? (capabilities.serverSideLifecycle ? SERVER_SETTLE_TIME : 0),
    });
    if (summary.outcome === 'repaired') logger.warn(summary, `The alias ${plan.alias} was wrong and was repaired.`);
    if (summary.outcome === 'moved' && summary.legacyIndex !== undefined) {
      logger.info(
        summary,
        `${summary.legacyIndex} is kept. When it is not needed: triad lifecycle delete-legacy ${summary.collection}.`,
      );
    }
    collections.push(summary);
  }
  const created = collections.flatMap(({ outcome, writeIndex }) => (outcome === 'created' ? [writeIndex] : []));
  if (created.length > 0) logger.info({ indices: created }, `${created.length} indices were created.`);
  return { collections };
}

async function putPolicyAndTemplate(
  admin: IndexAdmin,
  alias: string,
  definition: CollectionDefinition<unknown>,
  policy: LifecyclePolicy,
): Promise<void> {
  const names = lifecycleNames(alias);
  const options = { lifecyclePolicy: names.policy, rolloverAlias: alias };
  const put = async () => {
    await admin.putLifecyclePolicy(names.policy, policy);
    await admin.putTemplate(names.template, names.pattern, definition, options);
  };
  try {
    // Some engines refuse one of two processes that put the same policy at once.
    for (let round = 1; !(await doneUnless('version_conflict', put)) && round < MAX_ROUNDS; round += 1);
  } catch (cause) {
    if (!isTriadError(cause) || cause.kind !== 'unsupported') throw cause;
    const message = `datastore.ilm.enabled is on, but the search server has no index lifecycle management. Set it to false (SVC_DATASTORE_ILM_ENABLED), or use a server with that feature: Elasticsearch with its basic licence, or OpenSearch with the plugin Index Management. Nothing was changed.`;
    throw new Unsupported('lifecycle_unsupported', message, { cause, at: 'datastore.ilm.enabled' });
  }
}
