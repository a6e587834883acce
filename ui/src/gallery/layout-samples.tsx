import { Plus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { Button } from '../design/controls/button.tsx';
import { IconButton } from '../design/controls/icon-button.tsx';
import { TextField } from '../design/forms/text-field.tsx';
import { Pane, Toolbar, ToolbarSpace } from '../design/layout/page.tsx';
import { SplitPane } from '../design/layout/split-pane.tsx';
import { TabPanel, Tabs } from '../design/layout/tabs.tsx';
import { Frame } from './gallery.tsx';

const TABS = [
  { value: 'overview', label: 'Overview' },
  { value: 'fields', label: 'Fields', count: 48 },
  { value: 'history', label: 'History', count: 3 },
  { value: 'cases', label: 'Cases', disabled: true },
] as const;

export function LayoutSamples(): ReactElement {
  const [tab, setTab] = useState<(typeof TABS)[number]['value']>('overview');
  return (
    <>
      <Toolbar label="Alerts">
        <TextField label="Filter" labelHidden value="" onChange={() => undefined} placeholder="Filter" />
        <ToolbarSpace />
        <Button>Export</Button>
      </Toolbar>
      <Frame>
        <SplitPane
          name="gallery"
          label="List"
          initial={0.4}
          first={
            <Pane title="List" actions={<IconButton icon={Plus} label="Create" small />}>
              Ten things are here.
            </Pane>
          }
          second={
            <Pane title="Detail" titleHidden flush>
              <Tabs label="Parts of the alert" tabs={TABS} value={tab} onChange={setTab}>
                {TABS.map(({ value, label }) => (
                  <TabPanel key={value} value={value}>
                    {label} of the alert.
                  </TabPanel>
                ))}
              </Tabs>
            </Pane>
          }
        />
      </Frame>
      <Frame>
        <SplitPane name="gallery.column" label="Top" direction="column" first="Top" second="Bottom" />
      </Frame>
    </>
  );
}
