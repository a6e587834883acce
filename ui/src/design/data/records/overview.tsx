import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { send } from '../../../api/connection.ts';
import { useTranslation } from '../../../i18n/translation.ts';
import { fetchAddress } from '../../markup/link-target.ts';
import { evaluateTemplate } from '../../markup/template/interpreter.ts';
import type { Piece, Widget } from '../../markup/template/pieces.ts';
import type { TemplateProblem } from '../../markup/template/result.ts';
import { Value } from '../values/value.tsx';
import { CellTable } from './cell-table.tsx';
import { JsonView } from './json-view.tsx';
import styles from './markdown.module.css';
import { Markdown } from './markdown.tsx';

export interface OverviewProps {
  /** Handlebars in markdown, from an overview or a template of the service. */
  readonly template: string;
  readonly record: unknown;
  /**
   * Draws what belongs to a page: alerts, actions, lookups. JSON and tables are drawn here when it
   * returns undefined.
   * @param order place among the widgets of the template, from 0: those far down need not work at once
   */
  readonly renderWidget?: (widget: Widget, order: number) => ReactNode;
}

const MAX_ANSWER = 1_000_000;
const TIMEOUT = 10_000;
const NO_ANSWERS: ReadonlyMap<string, unknown> = new Map();

/** Shows a record by a template; mistakes and limits of the template are named above it. */
export function Overview({ template, record, renderWidget }: OverviewProps) {
  const [answers, setAnswers] = useState(NO_ANSWERS);
  const result = useMemo(() => evaluateTemplate(template, record, { answers }), [template, record, answers]);
  const wanted = result.wanted.join('\n');
  useEffect(() => {
    if (wanted === '') return;
    const aborted = new AbortController();
    void Promise.all(
      wanted.split('\n').map(async (address) => [address, await read(address, aborted.signal)] as const),
    ).then((entries) => {
      if (!aborted.signal.aborted) setAnswers((before) => new Map([...before, ...entries]));
    });
    return () => aborted.abort();
  }, [wanted]);
  const orders = useMemo(() => ordersOf(result.pieces), [result]);
  const draw = (widget: Widget): ReactNode =>
    renderWidget?.(widget, orders.get(widget) ?? 0) ?? <OwnWidget widget={widget} />;
  return (
    <>
      <Problems problems={result.problems} />
      <Markdown text={result.markdown} pieces={result.pieces} renderWidget={draw} />
    </>
  );
}

function ordersOf(pieces: readonly Piece[]): ReadonlyMap<Widget, number> {
  const widgets = pieces.flatMap((piece) => (piece.kind === 'widget' ? [piece.widget] : []));
  return new Map(widgets.map((widget, order) => [widget, order]));
}

/** Returns null for what cannot be read: the helper writes nothing then, as in Howler. */
async function read(address: string, signal: AbortSignal): Promise<unknown> {
  const path = fetchAddress(address, window.location.origin);
  if (path === undefined) return null;
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
    const answer = await send(new Request(path, { signal: limited, redirect: 'error' }));
    const text = await answer.text();
    return text !== '' && text.length <= MAX_ANSWER ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

function OwnWidget({ widget }: { readonly widget: Widget }) {
  switch (widget.kind) {
    case 'json':
      return <JsonView value={widget.data} />;
    case 'table':
      return <CellTable cells={widget.cells} />;
    case 'lookups':
      return widget.values.map((value) => <Value key={value} value={value} copy />);
    case 'alert':
      return <Value value={widget.id} copy />;
    case 'action':
      return <Value value={widget.action} />;
    default:
      return <Value value={widget.value} copy />;
  }
}

function Problems({ problems }: { readonly problems: readonly TemplateProblem[] }) {
  const { t } = useTranslation();
  if (problems.length === 0) return null;
  const words = (problem: TemplateProblem): string => {
    if (problem.kind === 'limit') return t(`data.overview.limit.${problem.limit}`);
    if (problem.kind === 'syntax') return t('data.overview.syntax', { detail: problem.detail });
    if (problem.kind === 'misuse') {
      const { name, need, usage } = problem;
      return t('data.overview.misuse', { name, need: t(`data.overview.need.${need}`), usage });
    }
    return t(problem.kind === 'missing-helper' ? 'data.overview.missing' : 'data.overview.unsupported', problem);
  };
  return (
    <div role="status">
      <ul className={styles.problems}>
        {problems.map((problem) => (
          <li key={JSON.stringify(problem)}>{words(problem)}</li>
        ))}
      </ul>
    </div>
  );
}
