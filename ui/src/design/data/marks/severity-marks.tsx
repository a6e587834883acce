import { useWords } from '../words.ts';
import { Mark } from './mark.tsx';
import {
  assessmentAppearance,
  escalationAppearance,
  type Severity,
  severityAppearance,
  statusAppearance,
} from './severity.ts';

interface NamedMarkProps {
  readonly value: string;
  /** The shape alone; the words are for screen readers and the tooltip. */
  readonly compact?: boolean;
}

/** Shows how bad an alert is; `severityOf` of marks/severity reads it from the record. */
export function SeverityMark({ value, compact }: { readonly value: Severity; readonly compact?: boolean }) {
  const { t } = useWords();
  const appearance = severityAppearance(value);
  return <Mark appearance={appearance} label={t(`data.${appearance.message}`)} compact={compact ?? false} />;
}

/** Shows the status of an alert or a case. */
export function StatusMark({ value, compact = false }: NamedMarkProps) {
  const { t } = useWords();
  const appearance = statusAppearance(value);
  return (
    <Mark appearance={appearance} label={appearance ? t(`data.${appearance.message}`) : value} compact={compact} />
  );
}

/** Shows the escalation of an alert (miss to evidence) or of a case (normal to crisis). */
export function EscalationMark({ value, compact = false }: NamedMarkProps) {
  const { t } = useWords();
  const appearance = escalationAppearance(value);
  return (
    <Mark appearance={appearance} label={appearance ? t(`data.${appearance.message}`) : value} compact={compact} />
  );
}

/** Shows the judgement that ended the triage. */
export function AssessmentMark({ value, compact = false }: NamedMarkProps) {
  const { t } = useWords();
  const appearance = assessmentAppearance(value);
  return (
    <Mark appearance={appearance} label={appearance ? t(`data.${appearance.message}`) : value} compact={compact} />
  );
}
