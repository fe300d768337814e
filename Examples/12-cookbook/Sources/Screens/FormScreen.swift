// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  import EffectRuntime
  import SwiftUI

  struct FormScreen: View {
    @Bindable var form: ObservableStore<RecipeForm.State, RecipeForm.Action>

    var body: some View {
      Form {
        TextField("Name", text: $form.name)
        Text("\(form.minutes) minutes")
        Button("Less") { form.send(.lessTapped) }
        Button("More") { form.send(.moreTapped) }
        Button("Cancel") { form.send(.cancelTapped) }
        Button("Save") { form.send(.saveTapped) }.disabled(!form.isComplete)
      }
    }
  }
#endif
