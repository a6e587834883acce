import type { ClassificationEngine } from '../../classification/classification.ts';
import type { BadlistItem } from '../../documents/kinds/analysis/badlist.ts';
import type { SafelistItem } from '../../documents/kinds/analysis/safelist.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { Forbidden, InvalidInput } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { ListService } from '../lists/list-service.ts';
import type { SignatureService } from '../signatures/signature-service.ts';
import type { WorkflowService } from '../workflows/workflow-service.ts';

export interface ReplayImportDependencies {
  readonly badlist: Pick<ListService<BadlistItem>, 'takeOver'>;
  readonly safelist: Pick<ListService<SafelistItem>, 'takeOver'>;
  readonly workflows: Pick<WorkflowService, 'takeOver'>;
  readonly signatures: Pick<SignatureService, 'takeOver'>;
  readonly classification: ClassificationEngine;
}

/** Returns what an entry of another installation is classified as: never lower than anything given. */
export type Raise = (classification: string, other?: string) => string;

/** Kinds of entries that installations take over from each other. */
export const ENTRY_TYPES: readonly string[] = ['badlist', 'safelist', 'signature', 'workflow'];
/** Entries of one request. */
const MAX_ENTRIES = 1000;

/** Stores lists, signatures and workflows of another installation under their own identifiers. */
export class ReplayImport {
  readonly #dependencies: ReplayImportDependencies;

  constructor(dependencies: ReplayImportDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores entries. Those stored already are combined with them and stay switched on or off.
   * @param minimum lowest classification of what is stored
   * @throws InvalidInput `unknown_replay_type`, `invalid_replay_entries`, and what the kind refuses;
   * Forbidden `classification_refused`
   */
  async import(actor: Actor, type: string, entries: unknown, minimum: string | undefined): Promise<number> {
    if (!ENTRY_TYPES.includes(type)) {
      const message = `${type.slice(0, 100).toUpperCase()} is not a valid message type for this API.`;
      throw new InvalidInput('unknown_replay_type', message, { response: '', at: 'message_type' });
    }
    if (!Array.isArray(entries) || entries.length > MAX_ENTRIES || !entries.every(isObject)) {
      const message = `The body must be a list of at most ${MAX_ENTRIES} entries, each an object.`;
      throw new InvalidInput('invalid_replay_entries', message, { response: '' });
    }
    const { badlist, safelist, workflows, signatures } = this.#dependencies;
    const raise = this.#raise(actor, minimum);
    if (type === 'badlist') await badlist.takeOver(entries, raise);
    else if (type === 'safelist') await safelist.takeOver(entries, raise);
    else if (type === 'workflow') await workflows.takeOver(entries, raise);
    else await signatures.takeOver(actor, entries, raise);
    return entries.length;
  }

  #raise(actor: Actor, minimum: string | undefined): Raise {
    const { classification: engine } = this.#dependencies;
    const lowest = engine.normalise(minimum ?? engine.unrestricted);
    return (classification, other = lowest) => {
      const raised = engine.max(engine.max(classification, other), lowest);
      if (engine.isAccessible(actor.classification, raised)) return raised;
      const message = `The classification ${raised} is above yours, ${actor.classification}.`;
      throw new Forbidden('classification_refused', message, { response: '' });
    };
  }
}
