/** The hidden payment marks in the footer of the checkout, which the payment choice shows when it appears. */
export const MARKS_ID = 'marks'
