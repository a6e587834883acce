import type { ComponentType } from 'react';
import { ButtonSamples } from './button-samples.tsx';
import { DataSamples } from './data-samples.tsx';
import { FieldSamples } from './field-samples.tsx';
import { DraftSamples, FormSamples } from './form-samples.tsx';
import { LayoutSamples } from './layout-samples.tsx';
import { MarkSamples } from './mark-samples.tsx';
import { MarkupSamples } from './markup-samples.tsx';
import { OverlaySamples } from './overlay-samples.tsx';
import { QuerySamples } from './query-samples.tsx';
import { StateSamples } from './state-samples.tsx';
import { TableSamples } from './table-samples.tsx';
import { TypeSamples } from './type-samples.tsx';

export interface Section {
  /** Names the section in the address, `?section=fields`. */
  readonly id: string;
  readonly title: string;
  readonly Samples: ComponentType;
}

/** The gallery's sections. A component that is added anywhere gets its samples here. */
export const SECTIONS: readonly Section[] = [
  { id: 'type', title: 'Type and colours', Samples: TypeSamples },
  { id: 'buttons', title: 'Buttons', Samples: ButtonSamples },
  { id: 'fields', title: 'Fields', Samples: FieldSamples },
  { id: 'forms', title: 'Forms', Samples: FormSamples },
  { id: 'drafts', title: 'A form with a draft', Samples: DraftSamples },
  { id: 'overlays', title: 'Menus, popovers, dialogues', Samples: OverlaySamples },
  { id: 'states', title: 'Empty, loading, failed', Samples: StateSamples },
  { id: 'query', title: 'Query bar', Samples: QuerySamples },
  { id: 'layout', title: 'Panes and tabs', Samples: LayoutSamples },
  { id: 'data', title: 'Data', Samples: DataSamples },
  { id: 'marks', title: 'Marks', Samples: MarkSamples },
  { id: 'table', title: 'Table of 100,000 rows', Samples: TableSamples },
  { id: 'markup', title: 'Markup of anyone', Samples: MarkupSamples },
];
