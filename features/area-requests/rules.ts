// Requests for delivery to an area that the checkout does not list. Staff call the person and mark the request.
export const AREA_REQUEST_STATES = ['new', 'called', 'done'] as const
export type AreaRequestState = (typeof AREA_REQUEST_STATES)[number]

/** Characters of the staff's note. */
export const MAX_AREA_REQUEST_NOTE_LENGTH = 1000
