import type { Alert } from '../triage/alert.ts';
import { RichText } from './rich-text.tsx';

/** Draws the overview of the analytic, filled from the alert. */
export function OverviewMarkup({ content }: { readonly content: string; readonly alert: Alert }) {
  return <RichText text={content} />;
}
