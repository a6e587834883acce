import { createContext, useContext } from 'react';
import type { Zone } from './values/date-format.ts';

/** The preferences of the reader that decide how values are shown. The shell provides them. */
export interface DisplaySettings {
  readonly zone: Zone;
  /** Relative times (`5 min. ago`) in lists, or absolute ones. */
  readonly times: 'relative' | 'absolute';
  /** The form in which indicators are copied. */
  readonly copyAs: 'plain' | 'defanged';
  /** The language of the messages; without it the one that i18next shows when a component is drawn. */
  readonly language?: string;
}

const DEFAULTS: DisplaySettings = { zone: 'utc', times: 'relative', copyAs: 'plain' };

export const DisplaySettingsContext = createContext<DisplaySettings>(DEFAULTS);

export function useDisplaySettings(): DisplaySettings {
  return useContext(DisplaySettingsContext);
}
