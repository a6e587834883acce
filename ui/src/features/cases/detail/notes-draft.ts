import { draftKey } from '../../../design/forms/form-draft.ts';
import { keep, readKept } from '../../../json/browser-storage.ts';
import type { Case } from '../case-api.ts';

/** The members that are edited together, as they are typed. */
export interface Notes {
  readonly title: string;
  readonly summary: string;
  readonly overview: string;
}

/** Typed notes, and those that stood there when editing began: they decide whether there is a conflict. */
export interface NotesDraft {
  readonly before: Notes;
  readonly typed: Notes;
}

export function notesOf({ title, summary, overview = '' }: Case): Notes {
  return { title, summary, overview };
}

/**
 * Returns what was typed in this browser and not saved, if anything.
 * @param name of the draft, by `useDraftName`
 */
export function readNotesDraft(name: string): NotesDraft | undefined {
  const kept = readKept(draftKey(name));
  return isDraft(kept) ? kept : undefined;
}

/** Keeps what is typed over a reload; undefined forgets it. */
export function writeNotesDraft(name: string, draft: NotesDraft | undefined): void {
  keep(draftKey(name), draft);
}

function isDraft(stored: unknown): stored is NotesDraft {
  return (
    typeof stored === 'object' &&
    stored !== null &&
    'before' in stored &&
    'typed' in stored &&
    [stored.before, stored.typed].every(isNotes)
  );
}

function isNotes(stored: unknown): stored is Notes {
  const names = ['title', 'summary', 'overview'];
  return (
    typeof stored === 'object' &&
    stored !== null &&
    names.every((name) => typeof Reflect.get(stored, name) === 'string')
  );
}
