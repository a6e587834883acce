import type { Visible } from '../../../datastore/port/collection.ts';
import type { Case } from '../../../documents/kinds/case.ts';
import type { Hit } from '../../../documents/kinds/hit.ts';
import { isObject } from '../../../documents/schema/plain-objects.ts';
import { Conflict, InvalidInput, NotFound } from '../../../errors/errors.ts';
import type { Actor } from '../../../identity/actor.ts';
import { folderItem, hitItem, itemsOf } from '../../cases/case-items.ts';
import type { CaseStore } from '../../cases/case-store.ts';
import type { HitService } from '../hit-service.ts';

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
/** Lists fields that older clients send of a bundle, which an alert does not have any more. */
export const BUNDLE_FIELDS = ['howler.is_bundle', 'howler.hits', 'howler.bundle_size', 'howler.bundles'];

/** Bundles of earlier versions, deprecated for cases: alerts at the root of a case of theirs. */
export class HitBundles {
  readonly #service: HitService;
  readonly #cases: CaseStore;

  constructor({ service, cases }: { service: HitService; cases: CaseStore }) {
    this.#service = service;
    this.#cases = cases;
  }

  /**
   * Stores the alert `input` and makes a case of it and of those children that the actor may see.
   * @throws InvalidInput `invalid_document`, `classification_too_high`, `nested_bundle`, `item_above_case`
   */
  async create(actor: Actor, input: unknown, childIds: readonly string[], visible: Visible): Promise<Bundle> {
    const children = await this.#service.getVisible(actor, childIds);
    for (const child of children) await this.#rejectBundle(child);
    const { valid, invalid } = await this.#service.read(actor, [withoutBundleFields(input)], { unknown: 'warn' });
    const [made] = valid;
    if (made === undefined) throw new InvalidInput('invalid_document', invalid[0]?.error ?? 'The bundle is not a hit.');
    this.checkTogether(made.record, children);
    const { hits, warnings } = await this.#service.create(actor, [made.record], visible);
    const [root = made.record] = hits;
    const caseId = await this.group(actor, root, children, visible);
    return { root, caseId, childIds: children.map(idOf), warnings: [...made.warnings, ...warnings] };
  }

  /** @throws InvalidInput `item_above_case`, when a child is classified above the root */
  checkTogether(root: Hit, children: readonly Hit[]): void {
    const items = children.map((child) => hitItem(child));
    this.#cases.rejectItemsAbove(root.classification, items);
  }

  /** Makes the case of a bundle of stored alerts and returns its identifier. Errors as `checkTogether`. */
  async group(actor: Actor, root: Hit, children: readonly Hit[], visible: Visible): Promise<string> {
    const folder = folderItem(FOLDER);
    const items = [
      hitItem(root, { name: displayName(root) }),
      folder,
      ...children.map((child) => hitItem(child, { name: displayName(child), parent: folder.id })),
    ];
    return (await this.#cases.create(actor, caseOf(root), items, visible)).case_id;
  }

  /** Adds visible alerts; throws `bundle_missing`, `already_in_bundle`, `nested_bundle`, as `create`. */
  async add(actor: Actor, id: string, childIds: readonly string[], visible: Visible): Promise<Bundle> {
    const { root, backing } = await this.#bundle(actor, id);
    const children = await this.#service.getVisible(actor, childIds);
    const items = children.map((child) => hitItem(child));
    for (const child of children) {
      rejectTwice(backing, child, id);
      await this.#rejectBundle(child);
    }
    if (backing === undefined) {
      const made = await this.#cases.create(actor, caseOf(root), [hitItem(root), ...items], visible);
      return this.#described(actor, root, made);
    }
    const added = (present: Case) => {
      for (const child of children) rejectTwice(present, child, id);
      return [...itemsOf(present), ...items];
    };
    const changed = await this.#cases.changeItems(actor, backing.case_id, visible, added);
    return this.#described(actor, root, changed?.document);
  }

  /** Removes alerts (`['*']`: all), ignoring unknown ones; throws `bundle_missing`, `not_a_bundle`. */
  async remove(actor: Actor, id: string, childIds: readonly string[], visible: Visible): Promise<Bundle> {
    const { root, backing } = await this.#bundle(actor, id);
    if (backing === undefined) throw new InvalidInput('not_a_bundle', 'The specified hit must be a bundle.');
    const wanted = childIds.length === 1 && childIds[0] === '*' ? childIdsOf(backing, id) : childIds;
    const removed = new Set((await this.#service.getVisible(actor, wanted)).map(idOf));
    removed.delete(id);
    const kept = (present: Case) => itemsOf(present).filter(({ type, value }) => type !== 'hit' || !removed.has(value));
    const changed = await this.#cases.changeItems(actor, backing.case_id, visible, kept);
    return this.#described(actor, root, changed?.document);
  }

  /** Finds a bundle. Undefined: there is no such alert for the actor, or it is not a bundle. */
  async find(actor: Actor, id: string): Promise<Bundle | undefined> {
    const [root] = await this.#service.getVisible(actor, [id]);
    const backing = root && (await this.#caseOf(root));
    if (!root || !backing || (await this.#cases.get(actor, backing.case_id)) === undefined) return undefined;
    return this.#described(actor, root, backing);
  }

  /** Returns the alert before the change, and the case behind it. @throws NotFound `bundle_missing` */
  async #bundle(actor: Actor, id: string): Promise<{ root: Hit; backing: Case | undefined }> {
    const [root] = await this.#service.getVisible(actor, [id]);
    if (root === undefined) throw missing(id);
    const backing = await this.#caseOf(root);
    if (backing !== undefined && (await this.#cases.get(actor, backing.case_id)) === undefined) throw missing(id);
    return { root, backing };
  }

  /** Returns the case at whose root the alert lies. */
  async #caseOf({ howler: { id, related } }: Hit): Promise<Case | undefined> {
    const candidates = await this.#cases.getAll(related);
    return candidates.find((candidate) => itemsOf(candidate).some((item) => item.value === id && !item.parent));
  }

  async #rejectBundle(hit: Hit): Promise<void> {
    if ((await this.#caseOf(hit)) === undefined) return;
    const message = `You cannot specify a bundle as a child of another bundle - ${hit.howler.id} is a bundle.`;
    throw new InvalidInput('nested_bundle', message);
  }

  async #described(actor: Actor, root: Hit, backing: Case | undefined): Promise<Bundle> {
    if (backing === undefined) throw missing(root.howler.id);
    const children = await this.#service.getVisible(actor, childIdsOf(backing, root.howler.id));
    return { root, caseId: backing.case_id, childIds: children.map(idOf), warnings: [] };
  }
}

function withoutBundleFields(input: unknown): unknown {
  if (!isObject(input)) return input;
  const without = (object: object, prefix: string) =>
    Object.fromEntries(Object.entries(object).filter(([key]) => !BUNDLE_FIELDS.includes(`${prefix}${key}`)));
  const kept = without(input, '');
  return isObject(kept.howler) ? { ...kept, howler: without(kept.howler, 'howler.') } : kept;
}

function idOf({ howler }: Hit): string {
  return howler.id;
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

function rejectTwice(present: Case | undefined, { howler: { id: childId } }: Hit, id: string): void {
  const twice = present === undefined ? childId === id : itemsOf(present).some((item) => item.value === childId);
  if (twice) throw new Conflict('already_in_bundle', `The hit ${childId} is already in the bundle ${id}.`);
}

function missing(id: string): NotFound {
  return new NotFound('bundle_missing', `Bundle hit ${id} does not exist`);
}
