import { Tooltip } from '@base-ui/react/tooltip';

export interface Hint {
  readonly text: string;
  readonly keys: string | undefined;
}

/** One popup serves every trigger, so that a list of 1,000 buttons has one tooltip. */
export const tooltipHandle = Tooltip.createHandle<Hint>();
