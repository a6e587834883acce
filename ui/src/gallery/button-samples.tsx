import { Copy, Pencil, Play, Trash2 } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { Button } from '../design/controls/button.tsx';
import { IconButton } from '../design/controls/icon-button.tsx';
import { Kbd } from '../design/controls/kbd.tsx';
import { showToast } from '../design/overlays/toasts.ts';
import { Sample } from './gallery.tsx';

export function ButtonSamples(): ReactElement {
  const [isOn, setOn] = useState(true);
  return (
    <>
      <Sample title="Kinds">
        <Button>Plain</Button>
        <Button kind="primary">Primary</Button>
        <Button kind="danger" icon={Trash2}>
          Delete
        </Button>
        <Button kind="quiet">Quiet</Button>
        <Button icon={Play} keys="Ctrl Enter">
          Run
        </Button>
        <Button kind="primary" icon={Play} keys="Ctrl Enter">
          Run
        </Button>
        <Button kind="primary" aria-pressed>
          Chosen
        </Button>
        <Button aria-pressed={isOn} onClick={() => setOn(!isOn)}>
          Pressed
        </Button>
      </Sample>
      <Sample title="Busy and disabled">
        <Button busy onClick={() => showToast('A busy button was pressed.')}>
          Busy
        </Button>
        <Button kind="primary" busy>
          Saving
        </Button>
        <Button disabled>Disabled</Button>
        <Button kind="primary" disabled>
          Disabled
        </Button>
        <Button kind="danger" disabled>
          Disabled
        </Button>
        <Button kind="quiet" disabled>
          Disabled
        </Button>
      </Sample>
      <Sample title="Icons">
        <IconButton icon={Pencil} label="Edit" keys="e" />
        <IconButton icon={Copy} label="Copy the value" kind="plain" />
        <IconButton icon={Trash2} label="Delete" kind="danger" />
        <IconButton icon={Pencil} label="Rename" small />
        <IconButton icon={Pencil} label="Not allowed" disabled />
      </Sample>
      <Sample title="Keys">
        <Kbd keys="Ctrl K" /> <Kbd keys="g h" /> <Kbd keys="?" />
      </Sample>
    </>
  );
}
