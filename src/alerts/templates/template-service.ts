import { changeDocument } from '../../datastore/port/change-document.ts';
import type { Collection, Visible } from '../../datastore/port/collection.ts';
import { allOf, equalsOrMissing, MATCH_ALL, type QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SearchItem } from '../../datastore/port/search.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { type Template, templateDocument } from '../../documents/kinds/template.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { Conflict, Forbidden, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';

export interface TemplateServiceDependencies {
  templates: Collection<Template>;
}

const ALL_MAY_READ = unrestricted('templates carry no classification; whose they are is asked for by every method');
const MAX_LISTED = 10_000;

/** Which fields of an analytic's alerts are shown first. Every method acts as `actor`. */
export class TemplateService {
  readonly #templates: Collection<Template>;

  constructor(dependencies: TemplateServiceDependencies) {
    this.#templates = dependencies.templates;
  }

  /** Global templates and the actor's own. */
  async list({ searchAccess }: Actor): Promise<readonly SearchItem<Template>[]> {
    return (await this.#templates.search({ query: MATCH_ALL, rows: MAX_LISTED }, searchAccess)).items;
  }

  /**
   * Creates a template: a personal one belongs to the actor, a global one to nobody.
   * @throws InvalidInput `invalid_document` with the path; Conflict `template_exists`, when there is one
   * for the same analytic, detection (or none), type and owner
   */
  async create(actor: Actor, input: Readonly<Record<string, unknown>>, visible: Visible): Promise<Template> {
    const { template_id: _ignored, owner: _computed, ...rest } = input;
    const owned = rest.type === 'personal' ? { ...rest, owner: actor.username } : rest;
    const { document: template } = readDocument(templateDocument, owned, { unknown: 'drop' });
    await this.#rejectTaken(template);
    await this.#templates.save(template.template_id, template, { ifVersion: ABSENT, visible });
    return template;
  }

  /** Replaces the fields. Personal templates by their owner, global ones by anybody. @throws NotFound `template_missing`; Forbidden `template_not_owned` */
  async replaceKeys(actor: Actor, id: string, keys: string[], visible: Visible): Promise<Template> {
    const changed = await changeDocument(
      this.#templates,
      id,
      (template) => {
        rejectOthersPersonal(actor, template, 'update');
        return { ...template, keys };
      },
      { access: ALL_MAY_READ, visible },
    );
    if (!changed) throw templateMissing();
    return changed.document;
  }

  /** Personal templates by their owner, global ones by administrators. @throws NotFound `template_missing`; Forbidden `template_not_owned` */
  async delete(actor: Actor, id: string, visible: Visible): Promise<void> {
    const template = await this.#templates.get(id, ALL_MAY_READ);
    if (!template) throw templateMissing();
    rejectOthersPersonal(actor, template, 'delete');
    if (template.type === 'global' && !actor.isAdmin) {
      const message = 'You cannot delete a global template unless you are an administrator.';
      throw new Forbidden('template_not_owned', message);
    }
    await this.#templates.delete(id, { visible });
  }

  async #rejectTaken({ analytic, detection, type, owner }: Template): Promise<void> {
    if (mayRepeat(analytic, detection)) return;
    const same: QueryNode[] = [
      { kind: 'term', field: 'analytic', value: analytic },
      equalsOrMissing('detection', detection),
      { kind: 'term', field: 'type', value: type },
    ];
    if (owner) same.push({ kind: 'term', field: 'owner', value: owner });
    if ((await this.#templates.count({ query: allOf(...same) }, ALL_MAY_READ)) > 0) {
      throw new Conflict('template_exists', 'A template covering this case already exists.');
    }
  }
}

function rejectOthersPersonal(actor: Actor, template: Template, verb: 'update' | 'delete'): void {
  if (template.type === 'personal' && template.owner !== actor.username) {
    throw new Forbidden('template_not_owned', `You cannot ${verb} a personal template that is not owned by you.`);
  }
}

function templateMissing(): NotFound {
  return new NotFound('template_missing', 'This template does not exist');
}

/**
 * Whether the public system accepts a second record for an analytic. It builds its query without quotes, so it finds no record of an
 * analytic whose name has a space, and recorded conversations rely on this where no detection is given.
 */
export function mayRepeat(analytic: string, detection: string | undefined): boolean {
  return detection === undefined && /\s/.test(analytic);
}
