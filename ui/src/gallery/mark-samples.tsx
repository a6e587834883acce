import type { ReactElement, ReactNode } from 'react';
import { AssessmentMark, EscalationMark, SeverityMark, StatusMark } from '../design/data/marks/severity-marks.tsx';
import { OPINIONS } from '../features/look-up/findings.ts';
import { OpinionMark } from '../features/look-up/opinion-mark.tsx';
import { Sample } from './gallery.tsx';

/** Marks that have to differ by their shape: they stand in one column, some without words. */
function Kind({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <Sample title={name}>
      <span data-testid={name}>{children}</span>
    </Sample>
  );
}

/** Draws the shapes of every kind of mark without their words, and the assessments with them. */
export function MarkSamples(): ReactElement {
  return (
    <>
      <Kind name="severity">
        {(['critical', 'high', 'medium', 'low', 'none'] as const).map((value) => (
          <SeverityMark key={value} value={value} compact />
        ))}
      </Kind>
      <Kind name="status">
        {['open', 'in-progress', 'on-hold', 'resolved'].map((value) => (
          <StatusMark key={value} value={value} compact />
        ))}
      </Kind>
      <Kind name="escalation">
        {['evidence', 'alert', 'hit', 'miss'].map((value) => (
          <EscalationMark key={value} value={value} compact />
        ))}
      </Kind>
      <Kind name="opinion">
        {OPINIONS.map((value) => (
          <OpinionMark key={value} opinion={value} compact />
        ))}
      </Kind>
      <Sample title="assessment">
        {['compromise', 'attempt', 'recon', 'mitigated', 'ambiguous', 'false-positive'].map((value) => (
          <AssessmentMark key={value} value={value} />
        ))}
      </Sample>
    </>
  );
}
