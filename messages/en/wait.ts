export const wait = {
  'wait.title': 'Tell me when it is available',
  'wait.text': 'We’ll send you one SMS when it can be ordered again.',
  'wait.send': 'Notify me',
  'wait.sent': 'Done. We’ll send you an SMS.',
  'wait.no-sms': 'The shop sends no SMS at present, so you would get none.',
  'wait.not-needed': 'It can be ordered now, or it has been sold. Reload the page.',
  'wait.no-response': 'No response. Check your connection and try again.',
  'wait.sms': (p: { name: string; shop: string; link: string }) => `${p.name} can be ordered again. ${p.link} ${p.shop}`,
}
