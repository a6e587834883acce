import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ApiProblem } from '../../../api/problem.ts';
import { EscalationMark, StatusMark } from '../../../design/data/marks/severity-marks.tsx';
import { ExternalLink } from '../../../design/data/records/external-link.tsx';
import { Markdown } from '../../../design/data/records/markdown.tsx';
import { Time } from '../../../design/data/values/time.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { Loading } from '../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { alertQuery } from '../../alerts/alert/alert-query.ts';
import { EventRecord } from '../../alerts/alert/event-record.tsx';
import { type Case, type CaseItem, caseApi } from '../case-api.ts';
import { caseKey } from '../detail/use-case.ts';
import styles from './items.module.css';

interface Props {
  readonly item: CaseItem;
  readonly present: Case;
  /** Items that lie directly in a folder. */
  readonly inside: number;
}

/** Shows what an item stands for. Types of a later version are shown by their value. */
export function ItemContent({ item, present, inside }: Props) {
  const { t } = useTranslation();
  switch (item.type) {
    case 'folder':
      return <p className={styles.quiet}>{t('cases.items.inside', { count: inside })}</p>;
    case 'markdown':
      return <Markdown text={item.value} />;
    case 'reference':
      return (
        <p>
          <ExternalLink href={item.value} />
        </p>
      );
    case 'hit':
      return <LinkedAlert id={item.value} />;
    case 'event':
      return <LinkedEvent id={item.value} />;
    case 'case':
      return <LinkedCase id={item.value} within={present.case_id} />;
    default:
      return (
        <p>
          <Value value={item.value} lines copy />
        </p>
      );
  }
}

function LinkedAlert({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(alertQuery(id));
  if (error !== null) return <Unreadable error={error} onRetry={() => void refetch()} value={id} />;
  if (data === undefined) return <Loading />;
  const { howler, timestamp } = data.alert;
  return (
    <dl className={styles.facts}>
      <dt>{t('cases.types.hit')}</dt>
      <dd>
        <Link to="/alerts/$id" params={{ id }}>
          <Value value={howler.analytic} />
        </Link>
      </dd>
      <dt>{t('cases.members.status')}</dt>
      <dd>
        <StatusMark value={howler.status} />
      </dd>
      <dt>{t('cases.timeline.time')}</dt>
      <dd>
        <Time value={timestamp} form="both" />
      </dd>
      <dt>{t('cases.timeline.outline')}</dt>
      <dd>
        <Value value={howler.outline?.summary} lines />
      </dd>
    </dl>
  );
}

function LinkedEvent({ id }: { readonly id: string }) {
  const navigate = useNavigate();
  const onSearch = (q: string) => void navigate({ to: '/alerts', search: { q } });
  return <EventRecord id={id} callbacks={{ onSearch }} missing={<Missing value={id} />} />;
}

/** A case may hold itself, or one that holds it: only one step is ever read. */
function LinkedCase({ id, within }: { readonly id: string; readonly within: string }) {
  const { t } = useTranslation();
  const isItself = id === within;
  const { data, error, refetch } = useQuery({
    queryKey: caseKey(id),
    queryFn: ({ signal }) => caseApi.read(id, signal),
    enabled: !isItself,
  });
  if (isItself) return <p>{t('cases.items.itselfText')}</p>;
  if (error !== null) return <Unreadable error={error} onRetry={() => void refetch()} value={id} />;
  if (data === undefined) return <Loading />;
  const holdsThis = data.items?.some(({ type, value }) => type === 'case' && value === within) === true;
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t('cases.types.case')}</dt>
        <dd>
          <Link to="/cases/$id" params={{ id }}>
            <Value value={data.title} />
          </Link>
        </dd>
        <dt>{t('cases.members.status')}</dt>
        <dd>
          <StatusMark value={data.status} />
        </dd>
        <dt>{t('cases.members.escalation')}</dt>
        <dd>
          <EscalationMark value={data.escalation} />
        </dd>
        <dt>{t('cases.members.summary')}</dt>
        <dd>
          <Value value={data.summary} lines />
        </dd>
      </dl>
      {holdsThis ? <p>{t('cases.items.holdsThis')}</p> : null}
    </>
  );
}

interface UnreadableProps {
  readonly error: Error;
  readonly onRetry: () => void;
  readonly value: string;
}

/** A record that is gone, or above the classification of the reader, keeps its place in the case. */
function Unreadable({ error, onRetry, value }: UnreadableProps) {
  const isMissing = error instanceof ApiProblem && error.status === 404;
  return isMissing ? <Missing value={value} /> : <ProblemPanel problem={error} onRetry={onRetry} />;
}

function Missing({ value }: { readonly value: string }) {
  const { t } = useTranslation();
  return (
    <p>
      {t('cases.items.missing')} <Value value={value} copy />
    </p>
  );
}
