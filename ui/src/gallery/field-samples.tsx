import { Search } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { Checkbox } from '../design/forms/choices/checkbox.tsx';
import { Combobox } from '../design/forms/choices/combobox.tsx';
import { MultiCombobox } from '../design/forms/choices/multi-combobox.tsx';
import { RadioGroup } from '../design/forms/choices/radio-group.tsx';
import { Select } from '../design/forms/choices/select.tsx';
import { Switch } from '../design/forms/choices/switch.tsx';
import { SearchField } from '../design/forms/search-field.tsx';
import { TextArea } from '../design/forms/text-area.tsx';
import { TextField } from '../design/forms/text-field.tsx';
import { Columns, Sample } from './gallery.tsx';

const STATUSES = [
  { value: 'open', label: 'Open' },
  { value: 'in-progress', label: 'In progress' },
  { value: 'on-hold', label: 'On hold', detail: 'waits for an answer' },
  { value: 'resolved', label: 'Resolved', disabled: true },
] as const;

const LABELS = Array.from({ length: 250 }, (_, index) => ({ value: `campaign-${index}`, label: `campaign-${index}` }));

const LONG = 'A value that is much longer than its place, as those of data often are: 0123456789abcdef0123456789abcdef';

export function FieldSamples(): ReactElement {
  const [text, setText] = useState('Ada Lovelace');
  const [secret, setSecret] = useState('correct horse');
  const [status, setStatus] = useState<(typeof STATUSES)[number]['value']>('open');
  const [label, setLabel] = useState<string | undefined>('campaign-7');
  const [labels, setLabels] = useState<readonly string[]>(['campaign-1', 'phishing']);
  const [isOn, setOn] = useState(true);
  const none = () => undefined;
  return (
    <>
      <Sample title="Text">
        <Columns>
          <TextField label="Name" value={text} onChange={setText} hint="Shown beside what you do." />
          <TextField label="Query" value="event.id:*" onChange={none} data icon={Search} optional />
          <TextField
            label="User name"
            value="a b"
            onChange={none}
            error="A user name has no spaces. Use letters, digits, dots and dashes."
          />
          <TextField label="Password" type="password" value={secret} onChange={setSecret} autoComplete="off" />
          <SearchField label="Search names" value={text} onChange={setText} />
          <TextField label="Not for you" value={LONG} onChange={none} disabled />
          <TextField label="Read only" value={LONG} onChange={none} data readOnly />
          <TextArea label="Note" value={text} onChange={setText} placeholder="Markdown" />
          <TextArea label="Rule" value="rule a { }" onChange={none} data error="Line 1: a condition is missing." />
        </Columns>
      </Sample>
      <Sample title="Choices">
        <Columns>
          <Select label="Status" options={STATUSES} value={status} onChange={setStatus} />
          <Select label="Nothing chosen" options={STATUSES} value={undefined} onChange={none} placeholder="Choose" />
          <Select label="Wrong" options={STATUSES} value="open" onChange={none} error="This status is not allowed." />
          <Select label="Disabled" options={STATUSES} value="open" onChange={none} disabled />
          <Combobox label="Label" options={LABELS} value={label} onChange={setLabel} allowNew />
          <Combobox label="Empty list" options={[]} value={undefined} onChange={none} placeholder="Type" />
          <MultiCombobox label="Labels" options={LABELS} value={labels} onChange={setLabels} allowNew data />
          <MultiCombobox label="Long values" options={[]} value={[LONG]} onChange={none} error="This is too long." />
        </Columns>
      </Sample>
      <Sample title="Switches">
        <Columns>
          <Checkbox label="Only mine" value={isOn} onChange={setOn} hint="Assigned to you, or unassigned." />
          <Checkbox label="Some of them" value={false} mixed onChange={none} />
          <Checkbox label="Accept" value={false} onChange={none} error="This has to be accepted." />
          <Checkbox label="Disabled" value onChange={none} disabled />
          <Switch label="Live" value={isOn} onChange={setOn} />
          <Switch label="Disabled" value={false} onChange={none} disabled />
          <RadioGroup label="Density" options={STATUSES} value={status} onChange={setStatus} />
          <RadioGroup label="In one line" options={STATUSES} value="on-hold" onChange={none} inline />
        </Columns>
      </Sample>
    </>
  );
}
