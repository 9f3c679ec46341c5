import Testing

/// What a client asks and is told, where the steps say all: see `Conversation`.
@Suite("conversations")
struct ConversationTests {
  @Test("each goes as it is written", arguments: Conversation.all)
  func conversation(_ conversation: Conversation) {
    conversation.expect()
  }
}
