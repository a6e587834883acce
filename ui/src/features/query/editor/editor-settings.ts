import type { CompletionSources, Suggestion } from '../language/completions.ts';
import type { PasteTarget } from '../language/pasted-query.ts';
import type { QueryFields } from '../language/query-fields.ts';

/** The words, sources and callbacks of an editor. */
export interface EditorSettings {
  readonly label: string;
  readonly placeholder: string;
  readonly fields: QueryFields | undefined;
  readonly sources: CompletionSources;
  /** Returns the words at the right of a completion: type, number of records, kind. */
  readonly detailOf: (suggestion: Suggestion) => string;
  readonly onChange: (text: string) => void;
  readonly onRun: (text: string) => void;
  readonly onExplain: () => void;
  /** Escape. Returns true where the focus leaves the editor. */
  readonly onLeave: () => boolean;
  /** Returns the text to insert for a pasted string; undefined inserts it as it is. */
  readonly onPaste: (pasted: string, target: Pick<PasteTarget, 'text' | 'from' | 'to'>) => PastedText | undefined;
}

export interface PastedText {
  readonly insert: string;
  /** Runs after the text changed. */
  readonly onInserted: () => void;
}
