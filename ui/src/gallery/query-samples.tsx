import { useState } from 'react';
import { FilterChips } from '../features/query/filters/filter-chips.tsx';
import type { CompletionSources } from '../features/query/language/completions.ts';
import { queryFields } from '../features/query/language/query-fields.ts';
import type { ServerRefusal } from '../features/query/language/server-problem.ts';
import type { Filter } from '../features/query/model/filter.ts';
import { readFilter, writeFilter } from '../features/query/model/filter-query.ts';
import { lastRange, type TimeRange, writeTimeRange } from '../features/query/model/time-range.ts';
import { QueryBar } from '../features/query/query-bar.tsx';
import { TimePicker } from '../features/query/time/time-picker.tsx';

const FIELDS = queryFields({
  'event.created': { type: 'date', description: 'When the event was first seen.' },
  'event.severity': { type: 'integer', description: 'Severity of the event.' },
  'howler.analytic': { type: 'keyword', description: 'Title of the analytic that raised the alert.' },
  'howler.assignment': { type: 'keyword', description: 'Identifier of the assigned user.' },
  'howler.status': {
    type: 'keyword',
    description: 'Status of the alert.',
    values: ['open', 'in-progress', 'resolved'],
  },
  message: { type: 'text', description: 'Message of the event.' },
  'source.ip': { type: 'ip', description: 'Address of the source.' },
});

const COUNTS: Readonly<Record<string, readonly string[]>> = {
  'howler.analytic': ['Password Checker', 'Beacon "Emberfox"', 'C:\\Windows (legacy)'],
  'source.ip': ['10.0.0.1', '2001:db8::1'],
};

const SOURCES: CompletionSources = {
  values: async ({ name }) => (COUNTS[name] ?? []).map((value, index) => ({ value, count: 30 - 10 * index })),
  saved: () => [{ name: 'Mine and open', query: 'howler.status:open AND howler.assignment:me' }],
  history: () => ['source.ip:"10.0.0.0/8"'],
};

const FILTERS = ['howler.status:open', 'NOT source.ip:"10.0.0.0/8"', '~event.severity:[3 TO *]', 'message:(a AND b)'];

/** Draws the query bar with filters and time; what was run stands below, for tests. */
export function QuerySamples() {
  const [text, setText] = useState('');
  const [runs, setRuns] = useState<readonly string[]>([]);
  const [filters, setFilters] = useState<readonly Filter[]>(() => FILTERS.map(readFilter));
  const [range, setRange] = useState<TimeRange | undefined>(lastRange('7d'));
  const [problem, setProblem] = useState<ServerRefusal>();
  const run = (query: string) => {
    setRuns([...runs, query]);
    setProblem(
      query.includes('refuse') ? { message: 'The server refuses this word.', at: query.indexOf('refuse') } : undefined,
    );
  };
  return (
    <div>
      <FilterChips filters={filters} onChange={setFilters} fields={FIELDS} sources={SOURCES} />
      <TimePicker value={range} onChange={setRange} lastVisit="2026-01-15T08:00:00.000Z" />
      <QueryBar value={text} onChange={setText} onRun={run} fields={FIELDS} sources={SOURCES} problem={problem} />
      <output data-testid="text">{text}</output>
      <output data-testid="filters">{JSON.stringify(filters.map(writeFilter))}</output>
      <output data-testid="range">{writeTimeRange(range)}</output>
      <output data-testid="runs">{JSON.stringify(runs)}</output>
    </div>
  );
}
