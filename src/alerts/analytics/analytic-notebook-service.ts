import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import { readFieldValue } from '../../documents/schema/read-document.ts';
import { Forbidden, InvalidInput } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { type AnalyticService, mayRemove } from './analytic-service.ts';

type Notebook = Analytic['notebooks'][number];

/** Links to notebooks that help with an analytic or one of its detections. Errors of all: NotFound `analytic_missing`. */
export class AnalyticNotebookService {
  readonly #analytics: AnalyticService;

  constructor(parts: { analytics: AnalyticService }) {
    this.#analytics = parts.analytics;
  }

  /** @throws InvalidInput `notebook_incomplete`, `notebook_unsupported` */
  async add(
    actor: Actor,
    id: string,
    input: { value: unknown; name: unknown; detection?: unknown },
  ): Promise<Analytic> {
    const { value, name } = input;
    if (typeof value !== 'string' || value === '' || typeof name !== 'string' || name === '') {
      throw new InvalidInput('notebook_incomplete', 'Value/Name cannot be empty.');
    }
    if (!value.includes('nbgallery.')) {
      throw new InvalidInput('notebook_unsupported', 'Only nbgallery is supported for now.', { at: 'value' });
    }
    const notebook = readFieldValue(
      analyticDocument,
      'notebooks',
      { user: actor.username, name, value, detection: input.detection || undefined },
      { item: true },
    ) as Notebook;
    return this.#analytics.change(id, (analytic) => ({ ...analytic, notebooks: [...analytic.notebooks, notebook] }));
  }

  /** Removes those of the ids that exist. @throws Forbidden `notebook_not_owned`, when one is by somebody else; administrators may */
  async remove(actor: Actor, id: string, notebookIds: readonly string[]): Promise<void> {
    await this.#analytics.change(id, (analytic) => {
      const gone = analytic.notebooks.filter((notebook) => notebookIds.includes(notebook.id));
      if (gone.some((notebook) => !mayRemove(actor, notebook.user))) {
        throw new Forbidden('notebook_not_owned', 'You cannot delete the notebook of someone else.');
      }
      return { ...analytic, notebooks: analytic.notebooks.filter((notebook) => !gone.includes(notebook)) };
    });
  }
}
