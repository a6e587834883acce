import { Bell, Plus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { ApiProblem } from '../api/problem.ts';
import { Button } from '../design/controls/button.tsx';
import { EmptyState } from '../design/states/empty-state.tsx';
import { ErrorBoundary } from '../design/states/error-boundary.tsx';
import { Loading } from '../design/states/loading.tsx';
import { ProblemPanel } from '../design/states/problem-panel.tsx';
import { Columns, Sample } from './gallery.tsx';

export function StateSamples(): ReactElement {
  return (
    <>
      <Sample title="Nothing here">
        <EmptyState
          icon={Bell}
          title="No alert matches this query."
          action={
            <Button icon={Plus} kind="primary">
              Send an alert
            </Button>
          }
        >
          The range is the last 24 hours. A longer one may hold more.
        </EmptyState>
      </Sample>
      <Sample title="Loading">
        <Loading />
      </Sample>
      <Sample title="Failed">
        <Columns>
          <ProblemPanel
            problem={
              new ApiProblem('The store did not answer.', {
                status: 500,
                errorId: '0f8fad5b-d9cb-469f-a165-70867728950e',
              })
            }
            onRetry={() => undefined}
          />
          <ProblemPanel
            problem={new ApiProblem('"sevrity" is not a field. Did you mean "severity"?', { status: 400 })}
          />
        </Columns>
        <ErrorBoundary>
          <Breakable />
        </ErrorBoundary>
      </Sample>
    </>
  );
}

function Breakable(): ReactElement {
  const [isBroken, setBroken] = useState(false);
  if (!isBroken) return <Button onClick={() => setBroken(true)}>Break this part</Button>;
  throw new Error('The record has a shape that this page does not know.');
}
