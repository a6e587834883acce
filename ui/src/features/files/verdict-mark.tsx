import { useQuery } from '@tanstack/react-query';
import { analysis, dataOf } from '../../api/clients.ts';
import { Mark } from '../../design/data/marks/mark.tsx';
import { Count } from '../../design/data/values/count.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { memberOf } from '../../json/members.ts';
import styles from './files.module.css';
import { DEFAULT_THRESHOLDS, type Thresholds, VERDICT_APPEARANCES, verdictOf } from './verdict.ts';

/** Shows a score with its verdict by the thresholds of the installation. */
export function VerdictMark({ score }: { readonly score: number }) {
  const { t } = useTranslation();
  const { data: thresholds = DEFAULT_THRESHOLDS } = useQuery({
    queryKey: ['analysis', 'thresholds'],
    queryFn: ({ signal }) => readThresholds(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const verdict = verdictOf(score, thresholds);
  return (
    <span className={styles.verdict}>
      <Mark appearance={VERDICT_APPEARANCES[verdict]} label={t(`files.verdicts.${verdict}`)} />
      <Count value={score} />
    </span>
  );
}

async function readThresholds(signal: AbortSignal): Promise<Thresholds> {
  const answer: unknown = await dataOf(analysis.GET('/api/v4/help/configuration/', { signal }));
  const read = (name: string, otherwise: number) => {
    const value = memberOf(answer, `submission.verdicts.${name}`);
    return typeof value === 'number' ? value : otherwise;
  };
  return {
    malicious: read('malicious', DEFAULT_THRESHOLDS.malicious),
    highlySuspicious: read('highly_suspicious', DEFAULT_THRESHOLDS.highlySuspicious),
    suspicious: read('suspicious', DEFAULT_THRESHOLDS.suspicious),
    informative: read('info', DEFAULT_THRESHOLDS.informative),
  };
}
