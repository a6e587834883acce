import { allOf, equalsOrMissing, MATCH_ALL, type QueryNode } from '../../datastore/port/query-tree.ts';
import { type Overview, overviewDocument } from '../../documents/kinds/overview.ts';
import { type Template, templateDocument } from '../../documents/kinds/template.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { Conflict, Forbidden, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { ALL_MAY_READ, mayDelete, type SavedObjectKind } from './saved-objects.ts';

const MAX_LISTED = 10_000;

/** Summaries of alerts that all may replace; a second of a detection is refused: `overview_exists`. */
export const overviewKind: SavedObjectKind<Overview> = {
  definition: overviewDocument,
  list: () => ({ query: MATCH_ALL, rows: MAX_LISTED, access: ALL_MAY_READ }),
  read(actor, input) {
    return readDocument(overviewDocument, { ...input, owner: actor.username }, { unknown: 'drop' }).document;
  },
  async rejectTaken(overview, overviews) {
    const same = sameSubject(overview);
    if (same === undefined || (await overviews.count({ query: same }, ALL_MAY_READ)) === 0) return;
    throw new Conflict('overview_exists', 'An overview covering this case already exists.');
  },
  change: (_actor, overview, { content }) => ({ ...overview, content: content as string }),
  assertDeletable(actor, overview) {
    if (mayDelete(actor, overview)) return;
    throw new Forbidden('overview_not_owned', 'You cannot delete an overview that is not owned by you.');
  },
  missing: () => new NotFound('overview_missing', 'This overview does not exist'),
};

/**
 * The fields of an analytic's alerts to display first.
 * A personal template belongs to its creator, a global one to no user: all may change it, administrators may delete it.
 * Creating one throws Conflict `template_exists` if there is one for the same analytic, detection, type and owner.
 */
export const templateKind: SavedObjectKind<Template> = {
  definition: templateDocument,
  list: ({ searchAccess }) => ({ query: MATCH_ALL, rows: MAX_LISTED, access: searchAccess }),
  read(actor, { owner: _computed, ...rest }) {
    const owned = rest.type === 'personal' ? { ...rest, owner: actor.username } : rest;
    return readDocument(templateDocument, owned, { unknown: 'drop' }).document;
  },
  async rejectTaken(template, templates) {
    const { type, owner } = template;
    const same = sameSubject(template);
    if (same === undefined) return;
    const query = allOf(
      same,
      { kind: 'term', field: 'type', value: type },
      ...(owner ? [{ kind: 'term', field: 'owner', value: owner } as const] : []),
    );
    if ((await templates.count({ query }, ALL_MAY_READ)) === 0) return;
    throw new Conflict('template_exists', 'A template covering this case already exists.');
  },
  change(actor, template, { keys }) {
    rejectOthersPersonal(actor, template, 'update');
    return { ...template, keys: keys as string[] };
  },
  assertDeletable(actor, template) {
    rejectOthersPersonal(actor, template, 'delete');
    if (template.type !== 'global' || actor.isAdmin) return;
    const message = 'You cannot delete a global template unless you are an administrator.';
    throw new Forbidden('template_not_owned', message);
  },
  missing: () => new NotFound('template_missing', 'This template does not exist'),
};

function rejectOthersPersonal(actor: Actor, template: Template, verb: 'update' | 'delete'): void {
  if (template.type === 'personal' && template.owner !== actor.username) {
    throw new Forbidden('template_not_owned', `You cannot ${verb} a personal template that is not owned by you.`);
  }
}

/**
 * Selects the records for the same analytic and detection; undefined: there may be several.
 * The public system builds its query without quotes, so it finds no record of an analytic whose name has a space, and
 * recorded conversations rely on this where no detection is given.
 */
function sameSubject({ analytic, detection }: Overview | Template): QueryNode | undefined {
  if (detection === undefined && /\s/.test(analytic)) return undefined;
  return allOf({ kind: 'term', field: 'analytic', value: analytic }, equalsOrMissing('detection', detection));
}
