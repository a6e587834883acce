import { Tooltip as Base } from '@base-ui/react/tooltip';
import { type ReactElement, useEffect } from 'react';
import { wantHost } from './hosts.ts';
import { tooltipHandle } from './tooltip-handle.ts';

export interface TooltipProps {
  readonly text: string;
  /** Keys that do the same as the element. */
  readonly keys?: string | undefined;
  /** One element that takes the focus and has a name of its own. */
  readonly children: ReactElement<Record<string, unknown>>;
}

/** Shows a hint and keys beside an element that is pointed at or focused. */
export function Tooltip({ text, keys, children }: TooltipProps): ReactElement {
  useEffect(() => wantHost('tooltips'), []);
  return <Base.Trigger handle={tooltipHandle} payload={{ text, keys }} render={children} />;
}
