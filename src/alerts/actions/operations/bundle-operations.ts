import type { HitBundles } from '../../hits/bundles/hit-bundles.ts';
import {
  BASIC_LIMIT,
  executed,
  type Operation,
  type OperationRun,
  type OperationSpecification,
  type Outcome,
  queryOfIds,
  refused,
  skipped,
  specified,
  textArgument,
} from '../operation.ts';

type Bundles = Pick<HitBundles, 'find' | 'add' | 'remove'>;

/** `add_to_bundle`: puts alerts into a bundle. Deprecated, as bundles are. */
export function addToBundle(bundles: Bundles): Operation {
  return bundleOperation(bundles, {
    id: 'add_to_bundle',
    title: 'Add to Bundle (Deprecated)',
    priority: 6,
    short: 'Put alerts into a bundle (deprecated, use cases)',
    chosen: (isChild) => !isChild,
    passedOver: ['Skipped Hits', 'These hits are in the bundle already.'],
    async change({ actor, selection }, bundleId, ids) {
      await bundles.add(actor, bundleId, ids, 'now');
      return executed(selection.query, `All matching hits are in the bundle ${bundleId}.`);
    },
  });
}

/** `remove_from_bundle`: takes alerts out of a bundle. Deprecated, as bundles are. */
export function removeFromBundle(bundles: Bundles): Operation {
  return bundleOperation(bundles, {
    id: 'remove_from_bundle',
    title: 'Remove from Bundle (Deprecated)',
    priority: 5,
    short: 'Take alerts out of a bundle (deprecated, use cases)',
    chosen: (isChild) => isChild,
    passedOver: ['Skipped Hits Not in Bundle', 'These hits are not in the bundle.'],
    async change({ actor, selection }, bundleId, ids) {
      await bundles.remove(actor, bundleId, ids, 'now');
      return executed(selection.query, `No matching hit is in the bundle ${bundleId} any more.`);
    },
  });
}

interface BundleOperation extends Pick<OperationSpecification, 'id' | 'title'> {
  readonly priority: number;
  readonly short: string;
  /** Returns whether the operation concerns an alert. */
  readonly chosen: (isChild: boolean) => boolean;
  readonly passedOver: readonly [title: string, message: string];
  readonly change: (run: OperationRun, bundleId: string, ids: readonly string[]) => Promise<Outcome>;
}

function bundleOperation(
  bundles: Bundles,
  { id, title, priority, short, chosen, passedOver, change }: BundleOperation,
): Operation {
  return {
    specification: specified({
      id,
      title,
      priority,
      short,
      long: `${short}.\n\n- \`bundle_id\`: identifier of the alert that is the bundle.`,
      steps: [{ args: { bundle_id: [] }, options: {} }],
    }),
    limit: BASIC_LIMIT,
    async run(run, given) {
      const { actor, selection } = run;
      const { query } = selection;
      const bundleId = textArgument(given, 'bundle_id');
      if (bundleId === undefined) return [refused(query, 'Invalid Bundle ID', 'Bundle ID cannot be empty.')];
      const bundle = await bundles.find(actor, bundleId);
      if (bundle === undefined) return [refused(query, 'Invalid Bundle', `The hit ${bundleId} is not a bundle.`)];
      const { ids } = await selection.ids(BASIC_LIMIT.advanced);
      if (ids.length === 0) return [skipped(query, 'No Matching Hits', 'No hits matched this query.')];
      const children = new Set(bundle.childIds);
      // A bundle is not its own child, and stays what it is.
      const concerned = ids.filter((hitId) => hitId !== bundleId && chosen(children.has(hitId)));
      const others = ids.filter((hitId) => !concerned.includes(hitId));
      const outcomes: Outcome[] = [];
      if (others.length > 0) outcomes.push(skipped(queryOfIds(others), ...passedOver));
      if (concerned.length > 0) outcomes.push(await change(run, bundleId, concerned));
      return outcomes;
    },
  };
}
