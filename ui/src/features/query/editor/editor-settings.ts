import type { CompletionSources, Suggestion } from '../language/completions.ts';
import type { PastedQuery } from '../language/pasted-query.ts';
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
  /** Field → type of enrichment, by which pasted indicators find their fields. */
  readonly mapping: Readonly<Record<string, string>> | undefined;
  /** Hears what became of a pasted string that was not inserted as it is. */
  readonly onPasted: (pasted: Exclude<PastedQuery, { kind: 'as_it_is' }>) => void;
}
