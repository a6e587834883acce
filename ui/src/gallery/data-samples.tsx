import { type ReactElement, useState } from 'react';
import { BarList } from '../design/data/charts/bar-list.tsx';
import { TimeHistogram } from '../design/data/charts/time-histogram.tsx';
import {
  ClassificationBanner,
  ClassificationContext,
  ClassificationMark,
} from '../design/data/marks/classification-marks.tsx';
import { AssessmentMark, EscalationMark, SeverityMark, StatusMark } from '../design/data/marks/severity-marks.tsx';
import { DifferenceView } from '../design/data/records/difference-view.tsx';
import { ExternalLink } from '../design/data/records/external-link.tsx';
import { FieldTable } from '../design/data/records/field-table.tsx';
import { JsonView } from '../design/data/records/json-view.tsx';
import { Markdown } from '../design/data/records/markdown.tsx';
import { Overview } from '../design/data/records/overview.tsx';
import { ProgressLine } from '../design/data/records/progress-line.tsx';
import { Tree, type TreeItem } from '../design/data/records/tree.tsx';
import { flatten } from '../design/data/structure/flatten.ts';
import { Count } from '../design/data/values/count.tsx';
import { Tags } from '../design/data/values/tags.tsx';
import { Time } from '../design/data/values/time.tsx';
import { UserName } from '../design/data/values/user-name.tsx';
import { Value } from '../design/data/values/value.tsx';
import { Sample, Stack } from './gallery.tsx';

const DEFINITION = {
  levels_styles_map: {
    'TLP:GREEN': { color: 'success' },
    'TLP:AMBER': { color: 'warning' },
    'TLP:RED': { color: '#b00020' },
  },
};

const RECORD = {
  howler: {
    id: '4f1c',
    analytic: 'Beaconing',
    outline: { indicators: ['10.0.0.1', 'updates.exаmple.net'] },
    score: 71,
  },
  process: { command_line: 'powershell.exe -nop -w hidden\n  -enc SQBFAFgA', name: 'invoice\u202efdp.exe' },
  event: { created: '2026-10-30T04:39:16.123456Z', severity: 9 },
};

const TEMPLATE = `## {{howler.analytic}}

| field | value |
|---|---|
| Score | {{howler.score}} |
| Command | {{process.command_line}} |

{{#each howler.outline.indicators}}
- \`{{this}}\`
{{/each}}

{{render_json event}} {{upper nothing}}`;

const MARKDOWN = `# Notes

*Seen* before: **two** hosts, see [the wiki](https://wiki.example/runbook), [the case](/cases/1) and [this](javascript:alert(1)).

> Quoted by a colleague

1. Isolate \`WKS-0412\`
2. Ask

\`\`\`
Get-Process | Stop-Process
\`\`\`

![tracker](https://evil.example/pixel.png) <script>alert(1)</script>`;

const TREE: readonly TreeItem<string>[] = [
  { id: 'a', depth: 0, isOpen: true, data: 'Evidence' },
  { id: 'a/1', depth: 1, isOpen: undefined, data: 'alert-1' },
  { id: 'a/2', depth: 1, isOpen: undefined, data: 'alert-2' },
  { id: 'b', depth: 0, isOpen: false, data: 'Reports' },
];

const HOUR = 3_600_000;
const START = Date.UTC(2026, 9, 30);
const BUCKETS = Array.from({ length: 48 }, (_, index) => ({
  start: START + index * HOUR,
  counts: { open: (index * 7) % 23, resolved: (index * 5) % 17 },
}));
const SERIES = [
  { id: 'open', label: 'Open', colour: 'accent' },
  { id: 'resolved', label: 'Resolved', colour: 'done' },
] as const;

/** Draws the components for records. */
export function DataSamples(): ReactElement {
  const [moved, setMoved] = useState('');
  return (
    <ClassificationContext value={DEFINITION}>
      <ClassificationBanner value="TLP:AMBER" />
      <Sample title="Values">
        <Value value="10.0.0.1" copy />
        <Value value="invoice‮fdp.exe" copy />
        <Value value="pаypal.com​ x" />
        <Value value={'x'.repeat(700)} limit={60} />
        <Value value="" />
        <Time value="2026-10-30T04:39:16.123456Z" form="both" />
        <Count value={1_234_567} compact />
        <Tags values={['phishing', 'vip', 'a', 'b', 'c']} max={3} />
        <UserName user="marie.tremblay" name="Marie Tremblay" />
        <UserName user="unassigned" />
      </Sample>
      <Sample title="Marks">
        {(['critical', 'high', 'medium', 'low', 'none'] as const).map((value) => (
          <SeverityMark key={value} value={value} />
        ))}
        {['open', 'in-progress', 'on-hold', 'resolved', 'later'].map((value) => (
          <StatusMark key={value} value={value} />
        ))}
        {['evidence', 'alert', 'hit', 'miss'].map((value) => (
          <EscalationMark key={value} value={value} />
        ))}
        {['compromise', 'mitigated', 'ambiguous', 'false-positive'].map((value) => (
          <AssessmentMark key={value} value={value} />
        ))}
        {['TLP:CLEAR', 'TLP:GREEN', 'TLP:AMBER', 'TLP:RED'].map((value) => (
          <ClassificationMark key={value} value={value} />
        ))}
      </Sample>
      <Sample title="Charts">
        <Stack>
          <TimeHistogram
            label="Alerts by status"
            buckets={BUCKETS}
            series={SERIES}
            from={START}
            to={START + 48 * HOUR}
            onRange={(from, to) => setMoved(`${new Date(from).toISOString()} ${new Date(to).toISOString()}`)}
          />
          <BarList
            label="By analytic"
            items={[
              { id: 'a', label: <Value value="Beaconing" inline />, count: 12_345 },
              {
                id: 'b',
                label: <Value value="Log4Shell Attempt" inline />,
                count: 345,
                colour: 'high',
              },
              { id: 'c', label: <Value value="Rare" inline />, count: 1 },
            ]}
            onPick={setMoved}
          />
        </Stack>
      </Sample>
      <Sample title="Fields">
        <Stack>
          <FieldTable record={flatten(RECORD)} />
        </Stack>
      </Sample>
      <Sample title="JSON">
        <Stack>
          <JsonView value={RECORD} />
        </Stack>
      </Sample>
      <Sample title="Overview">
        <Stack>
          <Overview template={TEMPLATE} record={RECORD} />
        </Stack>
      </Sample>
      <Sample title="Markdown">
        <Stack>
          <Markdown text={MARKDOWN} />
          <ExternalLink href="https://siem.example/case/7">Case 7</ExternalLink>
        </Stack>
      </Sample>
      <Sample title="Tree, difference, progress">
        <Stack>
          <Tree
            label="Items"
            items={TREE}
            item={(name) => <Value value={name} inline />}
            onToggle={() => {}}
            onMove={(id, to) => setMoved(`${id} ${to.kind}`)}
          />
          <p>{moved}</p>
          <DifferenceView before="the old host was clean" after="the new host was clean" />
          <DifferenceView before={['a', 'b']} after={['b', 'c']} />
          <ProgressLine label="Assessing" done={37} total={200} />
        </Stack>
      </Sample>
    </ClassificationContext>
  );
}
