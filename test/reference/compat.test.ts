/** With `api.rest.compat: "strapi"` responses have exactly the recorded shape. */
import { loadRecording } from './recording.ts'
import { replayOnEachEngine } from './suite.ts'

/** The areas in which the shape differs otherwise. */
const AREAS = ['envelope', 'create', 'components', 'dynamic-zones', 'single-types']

replayOnEachEngine(
  loadRecording().cases.filter(({ name }) => AREAS.some((area) => name.startsWith(`${area}:`))),
  { compatible: true },
)
