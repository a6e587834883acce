import type { Visible } from '../../datastore/port/collection.ts';
import type { Case } from '../../documents/kinds/case.ts';
import { Conflict, isTriadError, type TriadError } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { CaseDestination, DestinationTemplate } from './case-destination.ts';
import type { CaseItemPlacement } from './case-item-placement.ts';
import type { CaseRecord } from './case-items.ts';
import { type CaseItem, folderItem, itemsOf, type RecordType } from './case-items.ts';
import type { CaseStore } from './case-store.ts';
import { folderIn, isNameTaken } from './case-tree.ts';

export interface CaseFilingDependencies {
  cases: Pick<CaseStore, 'get' | 'changeItems'>;
  placement: Pick<CaseItemPlacement, 'place'>;
}

export interface RecordToFile {
  readonly type: RecordType;
  readonly record: CaseRecord;
}

/** What became of records that were to be filed, by their identifiers. */
export interface FilingReport {
  readonly filed: readonly string[];
  /** Those that lay in the case before, wherever. */
  readonly present: readonly string[];
  readonly refused: readonly { readonly id: string; readonly error: TriadError }[];
}

/** Puts many records into a case at once, each at its own destination. */
export class CaseFiling {
  readonly #dependencies: CaseFilingDependencies;

  constructor(dependencies: CaseFilingDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Files records; folders are made as they are needed, and the case is saved once. A record that cannot be filed is reported and does
   * not keep the others out. When all of them lie in the case already it stays as it is.
   * @returns undefined when there is no case that the actor may see
   */
  async file(
    actor: Actor,
    caseId: string,
    records: readonly RecordToFile[],
    destination: DestinationTemplate,
    visible: Visible,
  ): Promise<FilingReport | undefined> {
    const { cases } = this.#dependencies;
    const before = await cases.get(actor, caseId);
    if (before === undefined) return undefined;
    const ids = records.map(({ record }) => record.howler.id);
    if (records.every((record) => isPresent(itemsOf(before), record))) return { filed: [], present: ids, refused: [] };
    let report: FilingReport | undefined;
    await cases.changeItems(
      actor,
      caseId,
      async (present) => {
        const plan = await this.#plan(actor, present, records, destination);
        report = plan.report;
        return plan.items;
      },
      visible,
    );
    return report;
  }

  async #plan(
    actor: Actor,
    before: Case,
    records: readonly RecordToFile[],
    destination: DestinationTemplate,
  ): Promise<{ readonly items: readonly CaseItem[]; readonly report: FilingReport }> {
    let items = itemsOf(before);
    const filed: string[] = [];
    const present: string[] = [];
    const refused: { id: string; error: TriadError }[] = [];
    for (const entry of records) {
      const { id } = entry.record.howler;
      if (isPresent(items, entry)) {
        present.push(id);
        continue;
      }
      try {
        items = await this.#withRecord(actor, before, items, entry, destination.of(entry.record));
        filed.push(id);
      } catch (error) {
        if (!isTriadError(error)) throw error;
        refused.push({ id, error });
      }
    }
    return { items, report: { filed, present, refused } };
  }

  async #withRecord(
    actor: Actor,
    before: Case,
    items: readonly CaseItem[],
    { type, record }: RecordToFile,
    { folders, name }: CaseDestination,
  ): Promise<readonly CaseItem[]> {
    const { items: all, parent } = withFolders(items, folders);
    const given = { type, value: record.howler.id, name, parent };
    return [...all, await this.#dependencies.placement.place(actor, { ...before, items: [...all] }, given)];
  }
}

function isPresent(items: readonly CaseItem[], { type, record }: RecordToFile): boolean {
  return items.some((item) => item.type === type && item.value === record.howler.id);
}

/** The items with the folders of a path; `parent`: the last of them, null for none. @throws Conflict `case_item_name_taken` */
function withFolders(
  items: readonly CaseItem[],
  path: readonly string[],
): { readonly items: readonly CaseItem[]; readonly parent: string | null } {
  let parent: string | null = null;
  const made: CaseItem[] = [];
  for (const name of path) {
    const present: CaseItem | undefined = folderIn(items, name, parent);
    if (present === undefined && isNameTaken(items, name, parent)) {
      const message = `Something that is not a folder is called '${name}' in the case already.`;
      throw new Conflict('case_item_name_taken', message, { at: 'destination' });
    }
    const folder: CaseItem = present ?? { ...folderItem(name), ...(parent === null ? {} : { parent }) };
    if (present === undefined) made.push(folder);
    parent = folder.id;
  }
  return { items: [...items, ...made], parent };
}
