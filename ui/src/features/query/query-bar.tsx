import { type KeyboardEvent, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { MAX_QUERY_LENGTH } from '../../../../src/datastore/query-language/query-parser.ts';
import { lateComponent } from '../../design/late/late-component.tsx';
import { LatePart, useLatePart } from '../../design/late/late-part.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands } from '../../keys/commands.tsx';
import type { EditorSettings } from './editor/editor-settings.ts';
import type { QueryEditor } from './editor/query-editor.ts';
import type { CompletionSources, Suggestion } from './language/completions.ts';
import type { QueryFields } from './language/query-fields.ts';

import { type QueryProblem, type ServerRefusal, serverProblem } from './language/server-problem.ts';
import { ProblemLine } from './problem-line.tsx';
import styles from './query-bar.module.css';

export interface QueryBarProps {
  /** The text of the query. */
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Runs the query: Enter. */
  readonly onRun: (text: string) => void;
  /** Escape, after the list of completions and the explanation are closed; the focus leaves the bar. */
  readonly onLeave?: (() => void) | undefined;
  /** Fields of the indexes that are searched; undefined while they are not known. */
  readonly fields?: QueryFields | undefined;
  /** Fields in which the page looks for words without a field. Default: the default field of the index. */
  readonly wordFields?: readonly string[] | undefined;
  readonly sources?: CompletionSources | undefined;
  /** Field → type of enrichment, `configuration.mapping` of `/api/v1/configs`: for pasted indicators. */
  readonly mapping?: Readonly<Record<string, string>> | undefined;
  /** Refusal of the last search, such as an `ApiProblem`. It is shown until the text changes. */
  readonly problem?: ServerRefusal | undefined;
  /** The text that was refused. Default: the present one when `problem` changes. */
  readonly refusedText?: string | undefined;
  readonly label?: string | undefined;
  readonly placeholder?: string | undefined;
  /** Moves the focus into the bar when it changes: a counter that the command of `/` increases. */
  readonly focusRequest?: number | undefined;
}

const queryEditor = new LatePart(async () => (await import('./editor/query-editor.ts')).createQueryEditor);
const ExplanationPanel = lateComponent(
  async () => (await import('./explanation/explanation-panel.tsx')).ExplanationPanel,
);
/** Milliseconds without a key before mistakes are looked for. */
const CHECK_DELAY = 200;
const NO_SOURCES: CompletionSources = {};

/** A field for a query in the language of the searches, with completions and marked mistakes. */
export function QueryBar(props: QueryBarProps) {
  const {
    value,
    onChange,
    onRun,
    onLeave,
    fields,
    sources = NO_SOURCES,
    mapping,
    problem,
    refusedText,
    focusRequest,
  } = props;
  const { t } = useTranslation();
  const label = props.label ?? t('query.label');
  const placeholder = props.placeholder ?? t('query.placeholder');
  const [notice, setNotice] = useState<string>();
  const [isExplained, setExplained] = useState(false);

  const explain = () => setExplained((isShown) => !isShown);
  useCommands([{ id: 'explain', run: explain }]);
  const settings: EditorSettings = {
    label,
    placeholder,
    fields,
    sources,
    mapping,
    detailOf: (item: Suggestion) => {
      if (item.count !== undefined) return t('query.records', { count: item.count });
      return item.detail ?? (item.kind === 'value' ? '' : t(`query.kinds.${item.kind}`));
    },
    onChange: (text) => {
      setNotice(undefined);
      onChange(text);
    },
    onRun,
    onExplain: explain,
    onLeave: () => {
      if (isExplained) setExplained(false);
      else onLeave?.();
      return !isExplained;
    },
    onPasted: (read) =>
      setNotice(
        read.kind === 'indicators'
          ? t(read.isNarrowed ? 'query.indicatorsNarrowed' : 'query.indicators', { count: read.count })
          : t('query.problem.tooLong', { length: read.length, max: read.max }),
      ),
  };
  const { host, standIn, editor, isLoaded } = useEditor(settings, value);
  const problems = useProblems(editor, fields, { text: value, refusal: problem, refusedText });

  const focused = useRef(focusRequest);
  useEffect(() => editor?.setText(value), [editor, value]);
  useEffect(() => editor?.setProblems(problems), [editor, problems]);
  useEffect(() => {
    if (focused.current === focusRequest) return;
    focused.current = focusRequest;
    (editor ?? standIn.current)?.focus();
  }, [focusRequest, editor, standIn]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      onRun(value);
    } else if (event.key === 'Escape') onLeave?.();
  };
  return (
    <div className={styles.bar}>
      <div className={styles.frame}>
        <div ref={host} className={styles.editor} />
        {isLoaded ? null : (
          <textarea
            ref={standIn}
            className={styles.standIn}
            rows={1}
            aria-label={label}
            placeholder={placeholder}
            value={value}
            spellCheck={false}
            maxLength={MAX_QUERY_LENGTH}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={onKeyDown}
            onFocus={queryEditor.load}
          />
        )}
      </div>
      {isExplained && (
        <Suspense>
          <ExplanationPanel
            query={value}
            fields={fields}
            wordFields={props.wordFields}
            onClose={() => setExplained(false)}
          />
        </Suspense>
      )}
      <ProblemLine text={value} problems={problems} notice={notice} onReplace={onChange} />
    </div>
  );
}

interface CheckedText {
  readonly text: string;
  readonly refusal: ServerRefusal | undefined;
  readonly refusedText: string | undefined;
}

/** Returns the mistakes in the query, once nothing was typed for a moment, and what the server refused. */
function useProblems(
  editor: QueryEditor | undefined,
  fields: QueryFields | undefined,
  { text, refusal, refusedText }: CheckedText,
): readonly QueryProblem[] {
  const [found, setFound] = useState<readonly QueryProblem[]>([]);
  const [refused, setRefused] = useState<{ readonly refusal: ServerRefusal | undefined; readonly text: string }>();
  if (refused?.refusal !== refusal) setRefused({ refusal, text: refusedText ?? text });
  useEffect(() => {
    const timer = setTimeout(() => setFound(editor?.check(text, fields) ?? []), CHECK_DELAY);
    return () => clearTimeout(timer);
  }, [editor, text, fields]);
  const isShown = refused?.refusal !== undefined && refused.text === text;
  if (!isShown || refused.refusal === undefined || found.some(({ kind }) => kind === 'refused')) return found;
  return [serverProblem(text, refused.refusal), ...found];
}

/**
 * Loads the editor and puts it in the place of the plain input, with its text, its cursor and the
 * focus.
 */
function useEditor(settings: EditorSettings, text: string) {
  const host = useRef<HTMLDivElement>(null);
  const standIn = useRef<HTMLTextAreaElement>(null);
  const [editor, setEditor] = useState<QueryEditor>();
  const current = useRef({ settings, text });
  const createQueryEditor = useLatePart(queryEditor);
  useLayoutEffect(() => {
    current.current = { settings, text };
  });
  useEffect(() => {
    const place = host.current;
    if (createQueryEditor === undefined || place === null) return;
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
    const created = createQueryEditor(root, current.current.text, () => current.current.settings);
    const plain = standIn.current;
    if (plain !== null && document.activeElement === plain) {
      created.focus({ from: plain.selectionStart, to: plain.selectionEnd });
    }
    setEditor(created);
    return () => {
      created.destroy();
      setEditor(undefined);
    };
  }, [createQueryEditor]);
  return { host, standIn, editor, isLoaded: editor !== undefined };
}
