import type { Visible } from '../../../datastore/port/collection.ts';
import type { Case } from '../../../documents/kinds/case.ts';
import type { Hit } from '../../../documents/kinds/hit.ts';
import { isObject } from '../../../documents/schema/plain-objects.ts';
import { Conflict, InvalidInput, NotFound } from '../../../errors/errors.ts';
import type { Actor } from '../../../identity/actor.ts';
import { type CaseItem, folderItem, hitItem, itemsOf } from '../../cases/case-items.ts';
import type { CaseStore } from '../../cases/case-store.ts';
import type { HitService } from '../hit-service.ts';

export interface HitBundleDependencies {
  service: Pick<HitService, 'read' | 'create' | 'getVisible'>;
  cases: CaseStore;
}

/** An alert that stands for others, with the case that holds them. */
export interface Bundle {
  readonly root: Hit;
  readonly caseId: string;
  /** The alerts of the case that the actor may see, without the root. */
  readonly childIds: readonly string[];
  readonly warnings: readonly string[];
}

export const BUNDLES_DEPRECATED =
  'Bundle endpoints are deprecated and will be removed in a future release. Use /api/v2/case/ endpoints instead.';
/** Folder of the children that a bundle is made with. */
const FOLDER = 'hits';
/** What older clients send of a bundle, which is not a field of an alert any more. */
const BUNDLE_FIELDS = ['is_bundle', 'hits', 'bundle_size', 'bundles'];

/**
 * Bundles of earlier versions, for clients that still use them: an alert is a bundle when it lies at the root of a case that it is
 * related to. Deprecated; cases take their place.
 */
export class HitBundles {
  readonly #service: HitBundleDependencies['service'];
  readonly #cases: CaseStore;

  constructor(dependencies: HitBundleDependencies) {
    this.#service = dependencies.service;
    this.#cases = dependencies.cases;
  }

  /**
   * Stores the alert `input` and makes a case of it and the alerts `childIds`; those that do not exist for the actor are left out.
   * @throws InvalidInput `invalid_document`, `classification_too_high`, `nested_bundle`, `item_above_case`
   */
  async create(actor: Actor, input: unknown, childIds: readonly string[], visible: Visible): Promise<Bundle> {
    const children = await this.#visible(actor, childIds);
    for (const child of children) await this.#rejectBundle(child);
    const { valid, invalid } = await this.#service.read(actor, [withoutBundleFields(input)], { unknown: 'warn' });
    const [made] = valid;
    if (made === undefined) throw new InvalidInput('invalid_document', invalid[0]?.error ?? 'The bundle is not a hit.');
    const { record: hit, warnings } = made;
    this.checkTogether(hit, children);
    const arrival = await this.#service.create(actor, [hit], visible);
    const [root = hit] = arrival.hits;
    const caseId = await this.group(actor, root, children, visible);
    const together = children.map((child) => child.howler.id);
    return { root, caseId, childIds: together, warnings: [...warnings, ...arrival.warnings] };
  }

  /**
   * Refuses alerts that cannot lie in one case, before any of them is stored.
   * @throws InvalidInput `item_above_case`, when a child is classified above the root
   */
  checkTogether(root: Hit, children: readonly Hit[]): void {
    this.#cases.rejectItemsAbove(
      root.classification,
      children.map((child) => hitItem(child)),
    );
  }

  /**
   * Makes the case of a bundle of stored alerts.
   * @returns identifier of the case
   * @throws InvalidInput as `checkTogether`
   */
  async group(actor: Actor, root: Hit, children: readonly Hit[], visible: Visible): Promise<string> {
    const folder = folderItem(FOLDER);
    const items = [
      hitItem(root, { name: displayName(root) }),
      folder,
      ...children.map((child) => hitItem(child, { name: displayName(child), parent: folder.id })),
    ];
    const made = await this.#cases.create(actor, caseOf(root), items, visible);
    return made.case_id;
  }

  /**
   * Adds alerts to a bundle; a plain alert becomes one. Alerts that do not exist for the actor are left out.
   * @throws NotFound `bundle_missing`; Conflict `already_in_bundle`; InvalidInput `nested_bundle`, `item_above_case`
   */
  async add(actor: Actor, id: string, childIds: readonly string[], visible: Visible): Promise<Bundle> {
    const { root, backing } = await this.#bundle(actor, id);
    const children = await this.#visible(actor, childIds);
    const items = children.map((child) => hitItem(child));
    const refuse = async (present: Case | undefined): Promise<void> => {
      for (const child of children) {
        rejectTwice(present, child.howler.id, id);
        await this.#rejectBundle(child);
      }
    };
    await refuse(backing);
    const changed =
      backing === undefined
        ? await this.#cases.create(actor, caseOf(root), [hitItem(root), ...items], visible)
        : await this.#changeItems(actor, backing, visible, (present) => {
            for (const child of children) rejectTwice(present, child.howler.id, id);
            return [...itemsOf(present), ...items];
          });
    if (changed === undefined) throw missing(id);
    return this.#described(actor, root, changed);
  }

  /**
   * Removes alerts from a bundle, all of them when `childIds` is `['*']`; those that are not in it, or not for the actor, are ignored.
   * @throws NotFound `bundle_missing`; InvalidInput `not_a_bundle`
   */
  async remove(actor: Actor, id: string, childIds: readonly string[], visible: Visible): Promise<Bundle> {
    const { root, backing } = await this.#bundle(actor, id);
    if (backing === undefined) throw new InvalidInput('not_a_bundle', 'The specified hit must be a bundle.');
    const wanted = childIds.length === 1 && childIds[0] === '*' ? childIdsOf(backing, id) : childIds;
    const visibleIds = new Set((await this.#visible(actor, wanted)).map((child) => child.howler.id));
    visibleIds.delete(id);
    const isRemoved = (item: CaseItem) => item.type === 'hit' && visibleIds.has(item.value);
    const changed = await this.#changeItems(actor, backing, visible, (present) =>
      itemsOf(present).filter((item) => !isRemoved(item)),
    );
    if (changed === undefined) throw missing(id);
    return this.#described(actor, root, changed);
  }

  /** A bundle as it is. Undefined: there is no such alert for the actor, or it is not a bundle. */
  async find(actor: Actor, id: string): Promise<Bundle | undefined> {
    const [root] = await this.#visible(actor, [id]);
    const backing = root && (await this.#caseOf(root));
    if (!root || !backing || (await this.#cases.get(actor, backing.case_id)) === undefined) return undefined;
    return this.#described(actor, root, backing);
  }

  /** The alert as it is before the change, and the case behind it. */
  async #bundle(actor: Actor, id: string): Promise<{ root: Hit; backing: Case | undefined }> {
    const [root] = await this.#visible(actor, [id]);
    if (root === undefined) throw missing(id);
    const backing = await this.#caseOf(root);
    if (backing !== undefined && (await this.#cases.get(actor, backing.case_id)) === undefined) throw missing(id);
    return { root, backing };
  }

  /** The case at whose root the alert lies. */
  async #caseOf(hit: Hit): Promise<Case | undefined> {
    const { id, related } = hit.howler;
    const candidates = await this.#cases.getAll(related);
    return candidates.find((candidate) => itemsOf(candidate).some((item) => item.value === id && !item.parent));
  }

  async #changeItems(
    actor: Actor,
    { case_id: id }: Case,
    visible: Visible,
    change: (present: Case) => readonly CaseItem[],
  ): Promise<Case | undefined> {
    return (await this.#cases.changeItems(actor, id, change, visible))?.document;
  }

  async #rejectBundle(hit: Hit): Promise<void> {
    if ((await this.#caseOf(hit)) === undefined) return;
    throw new InvalidInput(
      'nested_bundle',
      `You cannot specify a bundle as a child of another bundle - ${hit.howler.id} is a bundle.`,
    );
  }

  async #described(actor: Actor, root: Hit, backing: Case): Promise<Bundle> {
    const children = await this.#visible(actor, childIdsOf(backing, root.howler.id));
    const childIds = children.map((child) => child.howler.id);
    return { root, caseId: backing.case_id, childIds, warnings: [] };
  }

  #visible(actor: Actor, ids: readonly string[]): Promise<readonly Hit[]> {
    return this.#service.getVisible(actor, ids);
  }
}

function withoutBundleFields(input: unknown): unknown {
  if (!isObject(input)) return input;
  const kept = Object.entries(input).filter(([key]) => !BUNDLE_FIELDS.some((field) => key === `howler.${field}`));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'howler' && isObject(value) ? withoutKeys(value, BUNDLE_FIELDS) : value]),
  );
}

function withoutKeys(object: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

function caseOf(root: Hit): { title: string; summary: string; classification: string } {
  const { id, analytic, detection } = root.howler;
  return {
    title: `${analytic} - ${detection || 'Alert'}`,
    summary: `Auto-created case for bundle ${id}`,
    classification: root.classification,
  };
}

function displayName({ howler }: Hit): string {
  return `${howler.analytic} (${howler.id})`;
}

function childIdsOf(backing: Case, rootId: string): readonly string[] {
  return itemsOf(backing).flatMap((item) => (item.type === 'hit' && item.value !== rootId ? [item.value] : []));
}

function rejectTwice(present: Case | undefined, childId: string, id: string): void {
  const twice = present === undefined ? childId === id : itemsOf(present).some((item) => item.value === childId);
  if (twice) throw new Conflict('already_in_bundle', `The hit ${childId} is already in the bundle ${id}.`);
}

function missing(id: string): NotFound {
  return new NotFound('bundle_missing', `Bundle hit ${id} does not exist`);
}
