import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { analysis, dataOf, READ_HEADERS } from '../../api/clients.ts';
import type { ApiProblem } from '../../api/problem.ts';
import type { Column } from '../../design/data/table/columns.ts';
import { Count } from '../../design/data/values/count.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { type Translate, useTranslation } from '../../i18n/translation.ts';
import { listMember, memberOf, numberMember, stringMember } from '../../json/members.ts';
import { PagedTable } from '../query/results/paged-table.tsx';
import { usePagedRows } from '../query/results/use-paged-rows.ts';
import { StateMark } from './state-mark.tsx';
import { SUBMISSIONS_KEY } from './use-uploads.ts';
import { VerdictMark } from './verdict-mark.tsx';

interface Row {
  readonly sid: string;
  readonly name: string;
  readonly state: string;
  readonly score: number;
  readonly files: number;
  readonly submitter: string;
  readonly submitted: string;
}

interface Props {
  readonly query: string | undefined;
  /** Hears why a query was refused, for its mark in the query; undefined when it was not. */
  readonly onRefused: (problem: ApiProblem | undefined) => void;
}

/** Lists submissions, the newest first. */
export function SubmissionTable({ query, onRefused }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const columns = useMemo(() => columnsOf(t), [t]);
  const rows = usePagedRows([...SUBMISSIONS_KEY, query], (offset, count, signal) =>
    search(query ?? '*:*', offset, count, signal),
  );
  return (
    <PagedTable
      label={t('files.submissions')}
      columns={columns}
      rows={rows}
      onOpenRow={({ sid }) => void navigate({ to: '/files/$id', params: { id: sid } })}
      onRefused={onRefused}
      totalText={(count) => t('files.total', { count })}
      narrow={({ name, score, submitted }) => (
        <>
          <div>
            <Value value={name} inline />
          </div>
          <div>
            <VerdictMark score={score} /> <Time value={submitted} />
          </div>
        </>
      )}
      empty={<EmptyState title={t('files.none')}>{t('files.noneText')}</EmptyState>}
    />
  );
}

async function search(query: string, offset: number, rows: number, signal: AbortSignal) {
  const answer = await dataOf(
    analysis.POST('/api/v4/search/{index}/', {
      params: { path: { index: 'submission' } },
      body: {
        query,
        offset,
        rows,
        sort: 'times.submitted desc',
        fl: 'sid,state,max_score,file_count,files.name,params.description,params.submitter,times.submitted',
        timeout: 60_000,
        filters: [],
        track_total_hits: false,
        use_archive: false,
        archive_only: false,
      },
      headers: READ_HEADERS,
      signal,
    }),
  );
  return { items: answer.items.map(readRow), total: answer.total ?? 0 };
}

function readRow(item: unknown): Row {
  const params = memberOf(item, 'params');
  return {
    sid: stringMember(item, 'sid'),
    name: stringMember(listMember(item, 'files')[0], 'name') || stringMember(params, 'description'),
    state: stringMember(item, 'state'),
    score: numberMember(item, 'max_score'),
    files: numberMember(item, 'file_count'),
    submitter: stringMember(params, 'submitter'),
    submitted: stringMember(memberOf(item, 'times'), 'submitted'),
  };
}

function columnsOf(t: Translate): Column<Row>[] {
  return [
    { id: 'verdict', title: t('files.verdict'), width: 176, cell: ({ score }) => <VerdictMark score={score} /> },
    { id: 'name', title: t('files.file'), width: 240, grow: true, cell: ({ name }) => <Value value={name} inline /> },
    { id: 'state', title: t('files.state'), width: 128, cell: ({ state }) => <StateMark state={state} /> },
    {
      id: 'files',
      title: t('files.tabs.files'),
      width: 72,
      align: 'end',
      cell: ({ files }) => <Count value={files} />,
    },
    {
      id: 'submitter',
      title: t('files.submitter'),
      width: 120,
      cell: ({ submitter }) => <Value value={submitter} inline />,
    },
    { id: 'submitted', title: t('files.submitted'), width: 152, cell: ({ submitted }) => <Time value={submitted} /> },
  ];
}
